import type { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import {
  JOB_STATES,
  MAX_ATTEMPTS,
  MAX_CONTENT_BYTES,
  MAX_SNAPSHOT_MS,
  SUBMITS_PER_DAY,
  TEXT_FORMATS,
  TRADER_SUBMITS_PER_HOUR,
} from "../../domain/exports/export-job.ts";
import { presentUsd } from "../../domain/money.ts";
import { traderCompleteness } from "../../domain/traders/trader-completeness.ts";
import { findTraderExportSummary, type TraderExportSummary } from "../../queries/exports/trader-export-summary.ts";
import { parseTraderRef, unknownTrader } from "../traders/parse-trader-ref.ts";
import { EXPORT_OPERATION } from "./export-operation.ts";
import { TraderExportSnapshot } from "./schemas.ts";

/** The length of a trade in a JSON export with a market title of usual length. */
const BYTES_PER_TRADE = 480;

export const getTraderExportSnapshot = defineOperation({
  ...EXPORT_OPERATION,
  kind: "single",
  id: "getTraderExportSnapshot",
  method: "get",
  path: "/api/v1/trader/{address}/export",
  summary: "Describe what an export of one trader would have.",
  description: "Counts the recorded trades, and says how far the record is complete. It starts no job.",
  query: {},
  reasons: ["bad_request", "not_found"],
  mcpTool: "get_trader_export_snapshot",
  object: "trader_export_snapshot",
  data: TraderExportSnapshot,
  async handle({ params }, { db, now }) {
    const found = await findTraderExportSummary(db, parseTraderRef(params.address));
    if (found === null) throw unknownTrader();
    return { data: present(found, now) };
  },
});

function present(found: TraderExportSummary, now: Date): z.input<typeof TraderExportSnapshot> {
  const route = "/api/v1/trader/{address}/export";
  return {
    address: found.address,
    generated_at: now.toISOString(),
    source_range: {
      first_pnl_date: found.first_day,
      last_pnl_date: found.last_day,
      latest_trade_at: found.last_trade_at,
      latest_market_activity_at: found.last_entry_at,
    },
    completeness: presentCompleteness(found),
    reconciliation: {
      provider_lifetime_volume: null,
      exported_activity_volume: presentUsd(found.volume_micro),
      exported_market_cost_basis: presentUsd(found.bought_micro),
      provider_activity_volume_gap: null,
      activity_volume_coverage: null,
    },
    counts: {
      pnl_days: found.days,
      exported_markets: found.markets,
      estimated_trade_rows: found.trades,
      estimated_size_mb: Math.ceil((found.trades * BYTES_PER_TRADE) / 10_000) / 100,
    },
    large_export_policy: {
      mode: "v1_async_export",
      current_internal_route: route,
      v1_async: {
        submit_route: `${route}?format={format}&fresh=true`,
        status_route: `${route}/status?job_id={job_id}`,
        download_route: `${route}/download?job_id={job_id}`,
        cancel_route: `${route}/cancel?job_id={job_id}`,
        formats: [...TEXT_FORMATS],
        added_formats: ["parquet"],
        status_values: [...JOB_STATES],
        retention: "24 hours from the submit",
      },
      direct_streaming: { available: false },
      async_job: {
        max_attempts: MAX_ATTEMPTS,
        max_read_seconds: MAX_SNAPSHOT_MS / 1000,
        max_content_bytes: MAX_CONTENT_BYTES,
      },
      rate_limit: { submits_per_day: SUBMITS_PER_DAY, submits_per_trader_per_hour: TRADER_SUBMITS_PER_HOUR },
    },
  };
}

function presentCompleteness(found: TraderExportSummary) {
  const completeness = traderCompleteness(found);
  const sync_coverage = found.synced_at === null ? 0 : 1;
  if (completeness.status !== "complete" && found.trades > 0)
    return { status: "partial" as const, reason: completeness.detail, sync_coverage };
  if (found.trades === 0)
    return { status: "empty" as const, reason: "no trade of this trader is recorded", sync_coverage };
  return { status: "complete" as const, reason: "the trader's whole activity is recorded", sync_coverage };
}
