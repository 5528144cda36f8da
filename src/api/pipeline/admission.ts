import type { Principal } from "../../context.ts";
import { MeterUnavailable, type Meter, type MeterVerdict } from "../../platform/objects/meter.ts";
import type { IpVerdict } from "../../platform/rate-limit/ip-budget.ts";
import { CEILING_REQUESTS, INCLUDED_REQUESTS } from "../../domain/accounts/monthly-quota.ts";
import { setBudgetHeaders, setMeterHeaders } from "../response/budget-headers.ts";
import { ApiError, type Reason } from "../errors.ts";
import type { Operation } from "../operation.ts";

/**
 * Sets the budget headers, whether or not the request is refused.
 *
 * @throws ApiError ip_rate_limited, ip_throttled
 */
export function admitIp(verdict: IpVerdict, headers: Headers, now: Date): void {
  setBudgetHeaders(headers, verdict, now);
  if (verdict.refusedBy === null) return;
  throw refusal(verdict.refusedBy === "throttled" ? "ip_throttled" : "ip_rate_limited", verdict.retryAtMs);
}

/**
 * Decides a user's rate-limit window, batch units and monthly quota and records the request, in one call.
 *
 * @throws ApiError rate_limited, monthly_quota_exceeded, invalid_body for a batch larger than the batch
 *   budget, or request_accounting_unavailable when the meter cannot decide
 */
export async function admitUser(
  meter: Meter,
  { operation, principal, batchUnits }: { operation: Operation; principal: Principal; batchUnits: number | null },
  headers: Headers,
  now: Date,
): Promise<MeterVerdict> {
  const verdict = await meter
    .admit({
      accountId: principal.accountId,
      keyId: principal.keyId,
      operation: operation.id,
      // Operations that cost nothing spend the budget shared by the usage and identity operations.
      budget: operation.cost === 0 ? "usage" : "primary",
      batchUnits,
      quota: { included: INCLUDED_REQUESTS, ceiling: CEILING_REQUESTS, payAsYouGo: principal.payAsYouGo },
    })
    .catch((cause: unknown) => {
      throw cause instanceof MeterUnavailable ? new ApiError("request_accounting_unavailable", { cause }) : cause;
    });
  setMeterHeaders(headers, verdict, batchUnits, now);
  if (verdict.refusedBy === null) return verdict;
  if (verdict.refusedBy === "batch" && verdict.retryAtMs === null) {
    throw new ApiError("invalid_body", {
      param: "body",
      message: `A batch has at most ${verdict.batch?.limit} items.`,
    });
  }
  throw refusal(verdict.refusedBy === "quota" ? "monthly_quota_exceeded" : "rate_limited", verdict.retryAtMs);
}

function refusal(reason: Reason, retryAtMs: number | null): ApiError {
  return new ApiError(reason, retryAtMs === null ? {} : { retryAt: new Date(retryAtMs) });
}
