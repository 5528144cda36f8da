import { positionFreshness } from "../../../domain/traders/position-freshness.ts";
import { traderCompleteness } from "../../../domain/traders/trader-completeness.ts";
import type { TraderRow } from "../../../queries/traders/traders.ts";
import { computedTrust, missingTrust, type Trust } from "../../trust.ts";

/** Why figures that need the trader's history are withheld. @returns null when they are served */
export function withheldReason(row: TraderRow): string | null {
  const completeness = traderCompleteness(row);
  return completeness.status === "complete" || completeness.status === "partial" ? null : completeness.detail;
}

/** What served profit figures exclude. @returns null when they exclude nothing, or when they are withheld */
export function excludedDetail(row: TraderRow): string | null {
  const completeness = traderCompleteness(row);
  return completeness.status === "partial" ? completeness.detail : null;
}

/**
 * Marks a complete value as partial for the reason `detail`. Unchanged when `detail` is null or the value
 * is not complete.
 */
export const partialTrust = (trust: Trust, detail: string | null): Trust =>
  detail === null || trust.completeness.status !== "complete"
    ? trust
    : { ...trust, completeness: { status: "partial", detail } };

/**
 * Trust of a computed figure that needs the trader's whole history; missing with the reason when it is
 * withheld.
 */
export function historyTrust(row: TraderRow, owner: string, now: Date): Trust {
  const gap = withheldReason(row);
  if (gap !== null) return missingTrust(owner, "unavailable", gap);
  const status = positionFreshness(row.synced_at === null ? null : new Date(row.synced_at), row.tier, now);
  return {
    ...computedTrust(owner, row.synced_at),
    freshness: { status, ...(row.synced_at === null ? {} : { as_of: row.synced_at }) },
  };
}

/** Like `historyTrust`, for profit figures: partial when they exclude something. */
export const profitTrust = (row: TraderRow, owner: string, now: Date): Trust =>
  partialTrust(historyTrust(row, owner, now), excludedDetail(row));
