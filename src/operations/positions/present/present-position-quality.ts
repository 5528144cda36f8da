import type { z } from "zod";
import { RESULT_PENDING, VALUES_FRESH_MS } from "../../../domain/traders/position-freshness.ts";
import { formatUsd, presentUsd } from "../../../domain/money.ts";
import type { PositionFilters } from "../../../queries/positions/filters.ts";
import type { PositionClocks, PositionRow } from "../../../queries/positions/position-rows.ts";
import { MAX_UNLISTED, type Unlisted } from "../../../queries/positions/unlisted.ts";
import { summarizeQuality, type DataQuality, type DataQualityGroup } from "../../data-quality.ts";
import { holdingFreshnessOf, reconciledAtOf } from "./present-position.ts";
import type { UnlistedPositions } from "../schemas/schemas.ts";

/** The facts of a page other than its rows. */
interface PageSummary {
  /** Rows of the whole list; null when there are too many to count. */
  readonly total: number | null;
  readonly unlisted: Unlisted | null;
  readonly clocks: PositionClocks;
}

/**
 * Number of open positions. Positions without a value count only when there is no minimum value, because it
 * is unknown whether they reach it.
 */
export function openPositionTotal(
  { total, unlisted }: PageSummary,
  { minSizeUsd }: PositionFilters,
): { total?: number } {
  const unlistedCount = minSizeUsd > 0 || unlisted === null ? 0 : unlisted.count;
  return total === null || unlistedCount === null ? {} : { total: total + unlistedCount };
}

/** Omitted when every matching position is listed. */
export function presentUnlisted(unlisted: Unlisted | null): { unlisted?: z.input<typeof UnlistedPositions> } {
  if (unlisted === null || unlisted.count === 0) return {};
  const { count, cost_micro: cost } = unlisted;
  return { unlisted: { positions: count, cost_usd: cost === null ? null : presentUsd(cost) } };
}

/** @param now the time of the rows */
export function presentPositionQuality(
  rows: readonly PositionRow[],
  summary: PageSummary,
  now: Date,
): z.input<typeof DataQuality> {
  return summarizeQuality([
    presentFills(summary.clocks.feed_read_at),
    presentValues(rows, summary, now),
    presentReconciliation(rows, now),
    {
      group: "grades",
      owner: "traders.grade",
      status: "untracked",
      reason: "each trader's grade has its own update time",
    },
  ]);
}

function presentFills(readAt: string | null): DataQualityGroup {
  const group = { group: "fills", owner: "ledger_entries.recorded_at" };
  return readAt === null
    ? { ...group, status: "unavailable", reason: "the trade feed has not been read yet" }
    : { ...group, status: "fresh", as_of: readAt };
}

function presentValues(
  rows: readonly PositionRow[],
  { clocks: { valued_at: valuedAt }, unlisted }: PageSummary,
  now: Date,
): DataQualityGroup {
  const group = { group: "values", owner: "positions.value_micro" };
  const unlistedReasons = unlisted === null || unlisted.count === 0 ? [] : [describeUnlisted(unlisted)];
  if (valuedAt === null)
    return {
      ...group,
      status: "unavailable",
      reason: ["positions have not been valued yet", ...unlistedReasons].join("; "),
    };
  const isFresh = now.getTime() - Date.parse(valuedAt) <= VALUES_FRESH_MS;
  const reasons = [
    ...(isFresh ? [] : ["the order of the list does not use the newest prices"]),
    ...(rows.some(({ phase }) => phase !== "open") ? [RESULT_PENDING] : []),
    ...unlistedReasons,
  ];
  return reasons.length === 0
    ? { ...group, status: "fresh", as_of: valuedAt }
    : { ...group, status: "partial", as_of: valuedAt, reason: reasons.join("; ") };
}

function describeUnlisted({ count, cost_micro: cost }: Unlisted): string {
  const quantity =
    count === null
      ? `more than ${MAX_UNLISTED} open positions`
      : count === 1
        ? "1 open position"
        : `${count} open positions`;
  const costText = cost === null ? "" : ` (cost ${formatUsd(cost)})`;
  return (
    `${quantity}${costText} not listed: the price is unknown, or the outcome belongs to a combination of ` +
    "markets or is neither YES nor NO"
  );
}

/**
 * Whether the positions of the page follow from the traders' complete activity, with the oldest
 * reconciliation time.
 */
function presentReconciliation(rows: readonly PositionRow[], now: Date): DataQualityGroup {
  const group = { group: "reconciliation", owner: "trader_syncs.complete_at" };
  if (rows.length === 0) return { ...group, status: "untracked", reason: "the page has no rows" };
  const times = rows.flatMap((row) => reconciledAtOf(row) ?? []).toSorted();
  const asOf = times[0] === undefined ? {} : { as_of: times[0] };
  if (rows.every((row) => holdingFreshnessOf(row, now) === "fresh")) return { ...group, status: "fresh", ...asOf };
  if (times.length === 0)
    return { ...group, status: "unknown", reason: "the complete activity of no trader on the page has been read" };
  return { ...group, status: "partial", ...asOf, reason: "some rows are not fresh; see the freshness of each row" };
}
