import type { z } from "zod";
import { VALUES_FRESH_MS } from "../../domain/holding-freshness.ts";
import { formatUsd, presentUsd } from "../../domain/money.ts";
import type { PositionFilters } from "../../queries/positions/filters.ts";
import type { PositionClocks, PositionRow } from "../../queries/positions/rows.ts";
import { MOST_UNLISTED, type Unlisted } from "../../queries/positions/unlisted.ts";
import { summarizeQuality, type DataQuality, type DataQualityGroup } from "../data-quality.ts";
import { holdingFreshnessOf, reconciledAtOf } from "./present-position.ts";
import type { UnlistedPositions } from "./schemas.ts";

/** What a page says beside its rows. */
interface Held {
  /** Of the whole list; null when they are too many to count. */
  readonly total: number | null;
  readonly unlisted: Unlisted | null;
  readonly clocks: PositionClocks;
}

/** How many open positions there are. What has no value may or may not reach a least value, so it counts only without one. */
export function totalHeld({ total, unlisted }: Held, { minSizeUsd }: PositionFilters): { total?: number } {
  const more = minSizeUsd > 0 || unlisted === null ? 0 : unlisted.count;
  return total === null || more === null ? {} : { total: total + more };
}

/** Nothing where all that matches is listed. */
export function presentUnlisted(unlisted: Unlisted | null): { unlisted?: z.input<typeof UnlistedPositions> } {
  if (unlisted === null || unlisted.count === 0) return {};
  const { count, cost_micro: cost } = unlisted;
  return { unlisted: { positions: count, cost_usd: cost === null ? null : presentUsd(cost) } };
}

/** @param now the moment the rows are of */
export function presentPositionQuality(rows: readonly PositionRow[], held: Held, now: Date): z.input<typeof DataQuality> {
  return summarizeQuality([
    presentFills(held.clocks.feed_read_at),
    presentValues(rows, held, now),
    presentReconciliation(rows, now),
    { group: "grades", owner: "traders.grade", status: "untracked", reason: "every wallet's grade has a clock of its own" },
  ]);
}

function presentFills(readAt: string | null): DataQualityGroup {
  const named = { group: "fills", owner: "ledger_entries.recorded_at" };
  return readAt === null
    ? { ...named, status: "unavailable", reason: "the trade feed has not been read yet" }
    : { ...named, status: "fresh", as_of: readAt };
}

function presentValues(rows: readonly PositionRow[], { clocks: { valued_at: valuedAt }, unlisted }: Held, now: Date): DataQualityGroup {
  const named = { group: "values", owner: "positions.value_micro" };
  const gone = unlisted === null || unlisted.count === 0 ? [] : [describeUnlisted(unlisted)];
  if (valuedAt === null) return { ...named, status: "unavailable", reason: ["positions have not been valued yet", ...gone].join("; ") };
  const isFresh = now.getTime() - Date.parse(valuedAt) <= VALUES_FRESH_MS;
  const reasons = [
    ...(isFresh ? [] : ["positions are not listed by their outcomes' newest prices"]),
    ...(rows.some(({ phase }) => phase !== "open") ? [AWAITED] : []),
    ...gone,
  ];
  return reasons.length === 0
    ? { ...named, status: "fresh", as_of: valuedAt }
    : { ...named, status: "partial", as_of: valuedAt, reason: reasons.join("; ") };
}

function describeUnlisted({ count, cost_micro: cost }: Unlisted): string {
  const many = count === null ? `more than ${MOST_UNLISTED} open positions` : count === 1 ? "1 open position" : `${count} open positions`;
  const costing = cost === null ? "" : ` (cost ${formatUsd(cost)})`;
  return `${many}${costing} held and not listed: no price is known, or the outcome is of a combination of markets or neither YES nor NO`;
}

const AWAITED = "the markets of some rows are over and their results awaited; these are valued at the last trade";

/** Whether the page's holdings follow from their wallets' whole activity, and since when at the earliest. */
function presentReconciliation(rows: readonly PositionRow[], now: Date): DataQualityGroup {
  const named = { group: "reconciliation", owner: "wallet_syncs.complete_at" };
  if (rows.length === 0) return { ...named, status: "untracked", reason: "the page has no rows" };
  const times = rows.flatMap((row) => reconciledAtOf(row) ?? []).toSorted();
  const asOf = times[0] === undefined ? {} : { as_of: times[0] };
  if (rows.every((row) => holdingFreshnessOf(row, now) === "fresh")) return { ...named, status: "fresh", ...asOf };
  if (times.length === 0) return { ...named, status: "unknown", reason: "no wallet on the page has had its whole activity read" };
  return { ...named, status: "partial", ...asOf, reason: "some rows are not fresh; each row says how it stands" };
}
