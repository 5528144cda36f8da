import { codeSpan } from "../../lib/markdown.ts";
import type { Context } from "./present-context.ts";

/** The document of a wallet. What is unknown has no line; its reason stands in the note. The wallet's own words are code spans. */
export function renderTraderContext({ trader, position_summary: summary, data_as_of: asOf, freshness_note: note }: Context): string {
  const sections = [
    section("Identity", [
      ["Address", codeSpan(trader.address)],
      ["Id", codeSpan(trader.id)],
      ["Username", trader.username === undefined ? undefined : codeSpan(trader.username)],
      ["Sync status", trader.sync_status],
      ["Last active", trader.last_active],
    ]),
    section("Skill", [
      ["Grade", trader.grade],
      ["Score", trader.score],
      ["Forecast score", trader.forecast_score],
      ["Leaderboard rank", trader.rank],
      ["Form of the last seven days", trader.streak_tier],
      ["How it trades", trader.strategy?.description],
    ]),
    section("Profit and loss (dollars)", [
      ["Provider's all-time figure", trader.pnl.total],
      ["Realized", trader.pnl.realized],
      ["Unrealized", trader.pnl.unrealized],
      ["Realized and unrealized", trader.pnl.net_total],
    ]),
    section("Trading", [
      ["Markets traded", trader.stats.markets_traded],
      ["Win rate of decided markets (percent)", trader.stats.win_rate],
      ["Win rate of days (percent)", trader.stats.daily_win_rate],
      ["Volume (dollars)", trader.stats.total_volume],
    ]),
    section("Positions", [
      ["Markets resolved", summary?.markets_resolved],
      ["Markets open", summary?.markets_open],
      ["Wins of decided markets", summary === undefined ? undefined : `${summary.resolved_wins} of ${summary.resolved_decided}`],
      ["Cost of open holdings (dollars)", summary?.cost_basis_locked],
    ]),
    `## Freshness\n\n${note}${asOf === null ? "" : `\n\n- Data as of: ${asOf}`}`,
  ];
  return `${["# Trader context", ...sections.filter((text) => text !== null)].join("\n\n")}\n`;
}

type Line = readonly [label: string, value: string | number | undefined];

/** @returns null when nothing in it is known */
function section(title: string, lines: readonly Line[]): string | null {
  const known = lines.filter(([, value]) => value !== undefined);
  return known.length === 0 ? null : `## ${title}\n\n${known.map(([label, value]) => `- ${label}: ${value}`).join("\n")}`;
}
