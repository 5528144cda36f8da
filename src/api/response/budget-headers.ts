import type { BudgetState, MeterVerdict } from "../../platform/objects/meter.ts";
import type { WritableHeaders } from "./header-fields.ts";

type Settable = Pick<WritableHeaders, "set">;

const secondsUntil = (ms: number, now: Date) => Math.max(0, Math.ceil((ms - now.getTime()) / 1000));
const unixSeconds = (ms: number) => Math.ceil(ms / 1000);

/**
 * The deciding budget in both header families: RateLimit-Reset in seconds from now, X-RateLimit-Reset in Unix
 * time.
 */
export function setBudgetHeaders(headers: Settable, { limit, remaining, resetAtMs }: BudgetState, now: Date): void {
  headers.set("RateLimit-Limit", String(limit));
  headers.set("RateLimit-Remaining", String(remaining));
  headers.set("RateLimit-Reset", String(secondsUntil(resetAtMs, now)));
  headers.set("X-RateLimit-Limit", String(limit));
  headers.set("X-RateLimit-Remaining", String(remaining));
  headers.set("X-RateLimit-Reset", String(unixSeconds(resetAtMs)));
}

/** A user's budgets: the rate-limit window, the monthly quota and, for a batch, its units. */
export function setMeterHeaders(headers: Settable, verdict: MeterVerdict, batchUnits: number | null, now: Date): void {
  const { window, batch, quota, refusedBy } = verdict;
  setBudgetHeaders(headers, window, now);
  headers.set("X-Monthly-Quota-Limit", String(quota.limit));
  headers.set("X-Monthly-Quota-Remaining", String(quota.remaining));
  headers.set("X-Monthly-Quota-Reset", String(unixSeconds(quota.resetAtMs)));
  if (batch === null || batchUnits === null) return;
  headers.set("X-Request-Cost", String(refusedBy === null ? batchUnits : 0));
  headers.set("X-Batch-RateLimit-Limit", String(batch.limit));
  headers.set("X-Batch-RateLimit-Remaining", String(batch.remaining));
  headers.set("X-Batch-RateLimit-Reset", String(unixSeconds(batch.resetAtMs)));
}
