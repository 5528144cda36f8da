import type { ProviderResolution } from "../../../../platform/provider.ts";
import type { ResolutionRow } from "../../payloads/markets/resolution.ts";

export function toResolution(row: ResolutionRow): ProviderResolution {
  // A dispute can reopen a question that had payouts; only a resolved one pays.
  const payoutsPpm = row.status === "resolved" ? row.payouts : null;
  return {
    conditionId: row.condition_id,
    status: row.status,
    payoutsPpm,
    resolvedAt: row.resolved_at,
    expectedAt: row.status === "resolved" ? null : row.expected_settlement_time,
  };
}
