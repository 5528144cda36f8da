import type { z } from "zod";
import { VALUES_FRESH_MS } from "../../domain/holding-freshness.ts";
import type { PositionClocks, PositionRow } from "../../queries/positions/rows.ts";
import { summarizeQuality, type DataQuality, type DataQualityGroup } from "../data-quality.ts";
import { holdingFreshnessOf, reconciledAtOf } from "./present-position.ts";

/** @param now the moment the rows are of */
export function presentPositionQuality(rows: readonly PositionRow[], clocks: PositionClocks, now: Date): z.input<typeof DataQuality> {
  return summarizeQuality([
    presentFills(clocks.feed_read_at),
    presentValues(rows, clocks.valued_at, now),
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

function presentValues(rows: readonly PositionRow[], valuedAt: string | null, now: Date): DataQualityGroup {
  const named = { group: "values", owner: "positions.value_micro" };
  if (valuedAt === null) return { ...named, status: "unavailable", reason: "positions have not been valued yet" };
  if (now.getTime() - Date.parse(valuedAt) > VALUES_FRESH_MS) {
    return { ...named, status: "partial", as_of: valuedAt, reason: "positions are not listed by their outcomes' newest prices" };
  }
  if (rows.some(({ phase }) => phase !== "open")) {
    return { ...named, status: "partial", as_of: valuedAt, reason: AWAITED };
  }
  return { ...named, status: "fresh", as_of: valuedAt };
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
