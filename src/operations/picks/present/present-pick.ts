import type { z } from "zod";
import {
  formatUsd,
  multiplyMicro,
  parseMicro,
  presentDecimal,
  presentMicro,
  presentUsd,
} from "../../../domain/money.ts";
import { closingState } from "../../../domain/picks/closing-state.ts";
import {
  closingLinePpm,
  STAKE_MICRO,
  STAKE_USD,
  unitScorePpm,
  winReturnMicro,
  type ClosingState,
} from "../../../domain/picks/pick-record.ts";
import type { PickOutcome } from "../../../domain/picks/pick-outcome.ts";
import { divideRounded } from "../../../scoring/divide-rounded.ts";
import type { PickRow } from "../../../queries/picks/picks-of-day.ts";
import type { PickHolder } from "../schemas/pick-of-the-day.ts";
import { CLOSING_TEXTS, percentMicro, presentOutcome, signed } from "./pick-texts.ts";

const HUNDRED_MICRO = 100_000_000n;

/** The fields that identify a pick or slot, in every shape. */
export const presentIdentity = ({ id, rank, is_free }: { id: string; rank: number; is_free: boolean }) => ({
  pick_rank: rank,
  pick_id: id,
  publication_order: rank,
  is_free_selection: is_free,
  supersedes_pick_id: null,
});

/** Presents a published pick that the caller opens. */
export function presentPick(row: PickRow, publishedAt: string, now: Date) {
  const label = row.outcome_label;
  const holders = `${row.holder_count} ${row.holder_count === 1 ? "trader" : "traders"} graded S or A`;
  const holds = row.holder_count === 1 ? "holds" : "hold";
  return {
    state: "full" as const,
    pick_date: row.pick_date,
    ...presentIdentity(row),
    matchup: row.matchup,
    category: row.category,
    display_category: row.league ?? row.category,
    platform: "polymarket" as const,
    release_at: row.release_at,
    is_locked: false,
    ...presentGame(row, now),
    ...presentOutcome(row.outcome),
    pick_outcome_label: label,
    ...(row.token_id === null ? {} : { token_id: row.token_id }),
    position: `${label} in ${row.matchup}`,
    side_summary:
      `${holders} ${holds} ${formatUsd(row.backed_micro)} of it; ${formatUsd(row.opposed_micro)} of such traders ` +
      "is on the other side.",
    sharp_wallet_count: row.holder_count,
    traders: row.holder_count,
    holder_count: row.holder_count,
    top_grade: row.top_grade,
    sharp_usd: presentUsd(row.backed_micro),
    backed_sharp_usd: presentUsd(row.backed_micro),
    sharp_pct: presentShare(row),
    ...presentPrice(row.backed_price),
    ...presentClosing(row.backed_price, row.close_price, closingOf(row, publishedAt, now)),
    ...presentUnits(row.outcome, row.backed_price),
    holders: row.holders.map((holder) => presentHolder(holder, row.backed_price)),
    thesis: `${holders} ${row.holder_count === 1 ? "backs" : "back"} ${label}, the best graded ${row.top_grade}.`,
    ...(row.event_slug === null ? {} : { event_slug: row.event_slug }),
    disclaimer: "A record of what graded traders hold, selected by a published rule. Not betting advice.",
  };
}

const closingOf = ({ kickoff, close_price: closePrice }: PickRow, publishedAt: string, now: Date): ClosingState =>
  closingState({ publishedAt: new Date(publishedAt), kickoff: new Date(kickoff), closePrice }, now);

function presentGame({ scheduled_at, kickoff, live, ended }: PickRow, now: Date) {
  const start = Date.parse(scheduled_at ?? kickoff);
  return {
    game_started: live === true || ended === true || start <= now.getTime(),
    ...(ended === null ? {} : { game_ended: ended }),
  };
}

/** The share of the backed dollars in all dollars of the holders: 1 without any on the other side. */
function presentShare({ backed_micro: backed, opposed_micro: opposed }: PickRow): number {
  return presentMicro((backed * 1_000_000n) / (backed + opposed), 4);
}

function presentPrice(price: string) {
  const returned = winReturnMicro(price) ?? 0n;
  const micro = parseMicro(price) ?? 0n;
  return {
    backed_price: presentDecimal(price, 6),
    market_pct: presentDecimal(price, 6),
    odds_display: `${(Number(divideRounded(micro, 1000n)) / 10).toFixed(1)}c`,
    stake_usd: STAKE_USD,
    return_usd: presentUsd(returned),
    return_per_100: presentUsd(winReturnMicro(price, HUNDRED_MICRO) ?? 0n),
    payout_display: formatUsd(returned),
    profit_display: `+${formatUsd(returned - STAKE_MICRO)}`,
  };
}

/** The closing-line fields that all shapes share. */
export function presentClosing(price: string, closePrice: string | null, state: ClosingState) {
  const ppm = state === "measured" && closePrice !== null ? closingLinePpm(price, closePrice) : null;
  return {
    clv_status: state,
    clv_basis: "frozen_displayed_entry" as const,
    clv_explanation: CLOSING_TEXTS[state],
    ...(ppm === null
      ? {}
      : { clv_pct: presentMicro(percentMicro(ppm), 2), clv_display: `${signed(percentMicro(ppm), 1)}%` }),
  };
}

/** Left out until the pick settles. */
export function presentUnits(outcome: PickOutcome | null, price: string) {
  const ppm = unitScorePpm(outcome, price);
  return ppm === null ? {} : { unit_score: presentMicro(ppm, 2), unit_score_display: `${signed(ppm, 2)}u` };
}

const presentHolder = (holder: PickRow["holders"][number], price: string): z.input<typeof PickHolder> => ({
  address: holder.address,
  name: holder.username,
  grade: holder.grade,
  last_traded_at: holder.last_traded_at,
  shares: presentUsd(holder.shares_micro),
  entry_value_usd: presentUsd(multiplyMicro(holder.shares_micro, price) ?? 0n),
});
