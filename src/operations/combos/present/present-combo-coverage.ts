import type { z } from "zod";
import type { ComboCoverageRow } from "../../../queries/combos/combo-coverage.ts";
import type { ComboCoverage } from "../schemas/coverage-schemas.ts";

type PublicCoverage = z.input<typeof ComboCoverage>;

/** A source that was not read for this long is stale, in milliseconds. */
const STALE_AFTER_MS = 900_000;

export function presentComboCoverage(row: ComboCoverageRow, now: Date): PublicCoverage {
  return {
    state: stateOf(row, now),
    ingest_enabled: true,
    cursors: [],
    sources: [
      { name: "trade_feed", as_of: row.trade_feed_read_at },
      { name: "combo_reads", as_of: row.combos_read_at },
    ],
    max_lag_blocks: null,
    oldest_cursor_update: null,
    lifecycle_lag_blocks: null,
    lifecycle_backfilling: row.has_backlog,
    computed_at: now.toISOString(),
  };
}

function stateOf(row: ComboCoverageRow, now: Date): PublicCoverage["state"] {
  if (row.trade_feed_read_at === null || row.combos_read_at === null) return "uninitialized";
  const oldestMs = Math.min(Date.parse(row.trade_feed_read_at), Date.parse(row.combos_read_at));
  if (now.getTime() - oldestMs > STALE_AFTER_MS) return "stale";
  return row.has_backlog ? "backfilling" : "live";
}
