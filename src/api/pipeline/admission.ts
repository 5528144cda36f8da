import type { Principal } from "../../context.ts";
import { recordLoader } from "../../auth/authenticate.ts";
import type { Caller } from "../../auth/caller.ts";
import { MeterUnavailable, type MeterVerdict } from "../../platform/objects/meter.ts";
import type { IpVerdict } from "../../platform/rate-limit/ip-budget.ts";
import { setBudgetHeaders, setMeterHeaders } from "../response/budget-headers.ts";
import type { HeaderFields } from "../response/header-fields.ts";
import { ApiError, type Reason } from "../errors.ts";
import type { Exchange } from "../exchange.ts";
import type { Operation } from "../operation.ts";

/**
 * Sets the budget headers, whether or not the request is refused.
 *
 * @throws ApiError ip_rate_limited, ip_throttled
 */
export function admitIp(verdict: IpVerdict, headers: HeaderFields, now: Date): void {
  setBudgetHeaders(headers, verdict, now);
  if (verdict.refusedBy === null) return;
  throw refusal(verdict.refusedBy === "throttled" ? "ip_throttled" : "ip_rate_limited", verdict.retryAtMs);
}

/**
 * Decides access, the user's rate-limit window, batch units and monthly quota, and records the request, in one call to
 * the account's meter.
 *
 * @throws ApiError with the refusal of the credential; rate_limited, monthly_quota_exceeded, invalid_body for a batch
 *   larger than the batch budget; request_accounting_unavailable when the meter cannot decide
 */
export async function admitCaller(
  caller: Caller,
  { operation, batchUnits }: { readonly operation: Operation; readonly batchUnits: number | null },
  { runtime, headers, startedAt, trace }: Pick<Exchange, "runtime" | "headers" | "startedAt" | "trace">,
): Promise<{ readonly principal: Principal; readonly admission: MeterVerdict }> {
  const request = {
    credential: await caller.identify(),
    requirement: caller.requirement,
    operation: operation.id,
    // Operations that cost nothing spend the budget shared by the usage and identity operations.
    budget: operation.cost === 0 ? "usage" : "primary",
    batchUnits,
  } as const;
  const admission = await runtime.meter.admit(request, recordLoader(runtime)).catch((cause: unknown) => {
    throw cause instanceof MeterUnavailable ? new ApiError("request_accounting_unavailable", { cause }) : cause;
  });
  if (admission.kind === "refused") throw caller.refusal(admission.reason);
  const { principal, verdict } = admission;
  trace.accountId = principal.accountId;
  setMeterHeaders(headers, verdict, batchUnits, startedAt);
  requireAdmitted(verdict);
  return { principal, admission: verdict };
}

function requireAdmitted(verdict: MeterVerdict): void {
  if (verdict.refusedBy === null) return;
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
