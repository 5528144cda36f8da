import { cents, exactText, percent } from "../decimal.ts";
import { Comparison, compareRows, type Item, type Question } from "../compare.ts";
import { expectOk, type Json } from "../api.ts";
import type { LedgerSnapshot } from "../ledger-mirror.ts";
import {
  traderFiguresOf,
  historyOf,
  isKnown,
  type DayFigures,
  type History,
  type TraderAuditFigures,
} from "../trader-audit-figures.ts";
import { chunksOf, isoAt, type AuditContext } from "./context.ts";

const SYNC_STATUS: Record<History, string> = {
  untracked: "unknown",
  pending: "pending",
  gaps: "synced",
  partial: "synced",
  complete: "synced",
};

/** Figures that exclude combinations and unmatched shares, so they are partial when either exists. */
const LEAVES_OUT = ["realized_pnl", "net_total_pnl"] as const;
/** Figures that need the whole history of the trader. */
const WHOLE_HISTORY = [
  "realized_pnl",
  "unrealized_pnl",
  "net_total_pnl",
  "markets_traded",
  "win_rate",
  "daily_win_rate",
  "total_volume",
] as const;

/** All traders, 25 a request. */
export function batchTraderQuestions({ api, world, sample }: AuditContext): Question[] {
  return chunksOf(sample(world.now().traderIds), 25).map((ids) => ({
    key: `trd_${ids[0]}`,
    async ask() {
      const path = "/api/v1/traders/batch";
      const traders = ids.map((id) => `trd_${id}`);
      const read = expectOk(await api.post(path, { traders, expand: ["trust"] }, ids.length), path);
      return {
        ...read,
        judge: (moment) =>
          ids.flatMap((id, index) => {
            const item = read.body.data[index];
            if (item?.status === "ok") return compareTrader(id, item.data, moment);
            return [new Comparison(`trd_${id}`).same("status", "ok", item?.error ?? item?.status).item()];
          }),
      };
    },
  }));
}

/** Followed traders, one a request. */
export const traderQuestions = (context: AuditContext): Question[] =>
  followed(context).map((id) =>
    single(context, id, "?expand=trust", (data, moment) => compareTrader(id, data, moment)),
  );

const followed = ({ world, sample }: AuditContext): readonly number[] =>
  sample(world.now().traderIds.filter((id) => world.now().trader(id)?.followed === true));

const single = (
  { api }: AuditContext,
  id: number,
  rest: string,
  compare: (data: Json, moment: LedgerSnapshot) => readonly Item[],
): Question => ({
  key: `trd_${id}`,
  async ask() {
    const path = `/api/v1/trader/trd_${id}${rest}`;
    const read = expectOk(await api.get(path), path);
    return { ...read, judge: (moment) => compare(read.body.data, moment) };
  },
});

export function compareTrader(id: number, data: Json, moment: LedgerSnapshot): Item[] {
  const trader = moment.trader(id);
  if (trader === undefined) return [];
  const figures = traderFiguresOf(moment, id);
  const history = historyOf(moment, id, figures);
  const comparison = new Comparison(`trd_${id}`);
  comparison.same("address", trader.address, data.address);
  comparison.same("sync_status", SYNC_STATUS[history], data.sync_status);
  comparison.same("synced_at", trader.completeAt ?? undefined, data.synced_at);
  comparison.same("last_active", figures.lastMs === null ? undefined : isoAt(figures.lastMs), data.last_active);
  if (!isKnown(history)) {
    for (const name of ["realized", "unrealized", "net_total"])
      comparison.same(`pnl.${name}`, undefined, data.pnl[name]);
    comparison.same("stats", {}, data.stats);
  } else {
    comparePnl(comparison, figures, data.pnl);
    compareStats(comparison, figures, data.stats);
  }
  compareCompleteness(comparison, history, figures, data);
  return [comparison.item()];
}

function comparePnl(comparison: Comparison, { realized, unrealized }: TraderAuditFigures, pnl: Json): void {
  comparison.same("pnl.realized", cents(realized), pnl.realized);
  comparison.same("pnl.exact.realized", exactText(realized), pnl.exact?.realized.value);
  comparison.same("pnl.unrealized", unrealized === null ? undefined : cents(unrealized), pnl.unrealized);
  comparison.same("pnl.net_total", unrealized === null ? undefined : cents(realized + unrealized), pnl.net_total);
}

function compareStats(comparison: Comparison, figures: TraderAuditFigures, stats: Json): void {
  const results = figures.days.map(([, { pnl }]) => pnl).filter((pnl) => pnl !== 0n);
  const won = results.filter((pnl) => pnl > 0n).length;
  comparison.same("stats.markets_traded", figures.traded, stats.markets_traded);
  comparison.same(
    "stats.win_rate",
    figures.decided === 0 ? undefined : percent(figures.won, figures.decided),
    stats.win_rate,
  );
  comparison.same(
    "stats.daily_win_rate",
    results.length === 0 ? undefined : percent(won, results.length),
    stats.daily_win_rate,
  );
  comparison.same("stats.total_volume", cents(figures.volume), stats.total_volume);
  comparison.same("stats.exact.total_volume", exactText(figures.volume), stats.exact?.total_volume.value);
}

/**
 * No figure is called complete while the history is not, and every figure is complete when the history is.
 */
function compareCompleteness(
  comparison: Comparison,
  history: History,
  figures: TraderAuditFigures,
  { trust, data_quality: quality }: Json,
): void {
  for (const name of history === "partial" ? LEAVES_OUT : history === "complete" ? [] : WHOLE_HISTORY) {
    const { status } = trust[name].completeness;
    comparison.holds(`trust.${name}.completeness`, status !== "complete", `not complete: ${history}`, status);
  }
  if (history === "complete") {
    comparison.same("trust.realized_pnl.completeness", "complete", trust.realized_pnl.completeness.status);
    comparison.same("trust.total_volume.completeness", "complete", trust.total_volume.completeness.status);
    const unrealized = figures.unrealized === null ? "unavailable" : "complete";
    comparison.same("trust.unrealized_pnl.completeness", unrealized, trust.unrealized_pnl.completeness.status);
    return;
  }
  if (history === "partial") return;
  const positions = quality.field_groups.find(({ group }: Json) => group === "positions")?.status;
  comparison.holds("data_quality.positions", positions !== "fresh", `not fresh: ${history}`, positions);
}

/** Realized profit by day, of followed traders. */
export const pnlQuestions = (context: AuditContext): Question[] =>
  followed(context).map((id) => single(context, id, "/pnl", (data, moment) => comparePnlHistory(id, data, moment)));

function comparePnlHistory(id: number, data: Json, moment: LedgerSnapshot): Item[] {
  const trader = moment.trader(id);
  if (trader === undefined) return [];
  const figures = traderFiguresOf(moment, id);
  const history = historyOf(moment, id, figures);
  const comparison = new Comparison(`trd_${id}`);
  if (history === "pending")
    return [comparison.same("freshness_at", null, data.freshness_at).same("entries", undefined, data.entries).item()];
  comparison.same("freshness_at", trader.completeAt, data.freshness_at);
  compareCompletenessNote(comparison, history, data.completeness);
  if (data.entries === undefined) return [comparison.same("entries", "given", "left out").item()];
  let sum = 0n;
  const expected = new Map(figures.days.map(([day, one]) => [day, { ...one, cumulative: (sum += one.pnl) }]));
  const rows = compareRows(expected, data.entries as Json[], ({ date }) => date, compareDay);
  for (const { id: day, differences } of rows) {
    for (const { field, expected: wanted, got } of differences) comparison.holds(`${day} ${field}`, false, wanted, got);
  }
  comparison.same("stats.all.current", cents(figures.realized), data.stats.all.current);
  compareTotals(
    comparison,
    "monthly",
    7,
    figures,
    data.monthly.map((row: Json) => [`${row.year}-${String(row.month).padStart(2, "0")}`, row.pnl]),
  );
  compareTotals(
    comparison,
    "year_totals",
    4,
    figures,
    data.year_totals.map((row: Json) => [String(row.year), row.pnl]),
  );
  return [comparison.item()];
}

/** Partial figures are marked partial with a reason; complete figures are not marked. */
export function compareCompletenessNote(comparison: Comparison, history: History, said: Json): void {
  if (history === "complete")
    comparison.holds("completeness", said === undefined || said.status === "complete", "complete", said);
  else
    comparison.holds(
      "completeness",
      said?.status === "partial" && said.detail !== undefined,
      "partial, with its reason",
      said,
    );
}

function compareDay(comparison: Comparison, expected: DayFigures & { readonly cumulative: bigint }, row: Json): void {
  comparison.same("daily_change", cents(expected.pnl), row.daily_change);
  comparison.same("cumulative_profit", cents(expected.cumulative), row.cumulative_profit);
  comparison.same("total_volume", cents(expected.volume), row.total_volume);
  comparison.same("markets_traded", expected.markets.size, row.markets_traded);
}

function compareTotals(
  comparison: Comparison,
  name: string,
  prefix: number,
  { days }: TraderAuditFigures,
  shown: [string, number][],
): void {
  const sums = new Map<string, bigint>();
  for (const [day, { pnl }] of days) sums.set(day.slice(0, prefix), (sums.get(day.slice(0, prefix)) ?? 0n) + pnl);
  const expected = [...sums].map(([period, pnl]) => [period, cents(pnl)]);
  comparison.same(
    name,
    expected,
    shown.filter(([period]) => sums.has(period)),
  );
}

/** The summary of a trader for assistants. */
export const contextQuestions = (context: AuditContext): Question[] =>
  followed(context).map((id) => single(context, id, "/context", (data, moment) => compareSummary(id, data, moment)));

function compareSummary(id: number, data: Json, moment: LedgerSnapshot): Item[] {
  const figures = traderFiguresOf(moment, id);
  const history = historyOf(moment, id, figures);
  const comparison = new Comparison(`trd_${id}`);
  const summary = data.position_summary;
  if (!isKnown(history) || figures.unrealized === null) {
    return [comparison.same("position_summary", undefined, summary).item()];
  }
  // The summary is absent when one of its sums is unknown, and may be absent when the history is partial.
  if (summary === undefined)
    return [comparison.holds("position_summary", history === "partial", "given", undefined).item()];
  comparison.same("markets_synced", figures.traded, summary.markets_synced);
  comparison.same("markets_resolved", figures.resolved, summary.markets_resolved);
  comparison.same("resolved_wins", figures.won, summary.resolved_wins);
  comparison.same("resolved_decided", figures.decided, summary.resolved_decided);
  comparison.same("total_realized_pnl", cents(figures.realized), summary.total_realized_pnl);
  comparison.same("synced_realized_pnl", cents(figures.realized - figures.openRealized), summary.synced_realized_pnl);
  comparison.same("unrealized_mtm", cents(figures.unrealized), summary.unrealized_mtm);
  comparison.same("cost_basis_locked", cents(figures.openCost), summary.cost_basis_locked);
  const openMarkets = new Set(
    figures.open.flatMap((held) => (held.value !== null && held.value > 0n ? [held.market.id] : [])),
  );
  if (history === "complete") comparison.same("markets_open", openMarkets.size, summary.markets_open);
  return [comparison.item()];
}
