import { z } from "zod";
import { ERRORS, type ApiError } from "../../api/errors.ts";
import type { Exchange } from "../../api/exchange.ts";
import { presentError } from "../../api/response/error-response.ts";

const ErrorEnvelope = z.looseObject({ error: z.looseObject({ code: z.string(), message: z.string() }) });

/** Why a tool call or a read failed, as agents get it. */
export interface Failure {
  readonly status: number;
  readonly error: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** The failure that REST would report, with what to do next. */
export async function presentFailure(
  error: unknown,
  { requestId, runtime, startedAt, log, trace }: Exchange,
): Promise<Failure> {
  const response = presentError(error, {
    requestId,
    // A call only reads, so its deadline is retried like that of a GET.
    method: "GET",
    docsUrl: `${runtime.config.webBaseUrl}/docs`,
    now: startedAt,
    random: Math.random,
    log,
    trace,
  });
  const { status, headers } = response;
  const { code, message, param, reason, doc_url, retry_at, freshness } = ErrorEnvelope.parse(
    await response.json(),
  ).error;
  const retryAfter = headers.get("retry-after");
  const next = adviseNext({ status, code, reason, param, retryAfter });
  return {
    status,
    message: `${message} ${next}`,
    error: {
      code,
      reason: reason ?? null,
      message,
      next_step: next,
      param: param ?? null,
      doc_url,
      retry_at: retry_at ?? null,
      retry_after_seconds: retryAfter === null ? null : Number(retryAfter),
      request_id: requestId,
      status,
      ...(freshness === undefined ? {} : { freshness }),
    },
  };
}

interface Facts {
  readonly status: number;
  readonly code: string;
  readonly reason: unknown;
  readonly param: unknown;
  readonly retryAfter: string | null;
}

/** What an agent should do after a failure, in one sentence. */
function adviseNext({ status, code, reason, param, retryAfter }: Facts): string {
  if (reason === "cursor_expired") return "Call again without cursor to read the list from its first page.";
  if (reason === "freshness_ceiling_unsatisfied") return "Call again with a larger max_age_s, or later.";
  if (reason === "subscription_inactive") return "Do not retry. Ask the user to renew the subscription.";
  if (reason === "max_plan_required")
    return "Do not retry. Ask the user to upgrade to the Max plan, or use another tool.";
  if (code === "insufficient_scope") return "Do not retry. Ask the user for a key with this scope.";
  if (retryAfter !== null) return `Wait ${retryAfter} seconds, then call again with the same arguments.`;
  if (status === 404) return "Do not retry with the same id. Find a valid one with a search or list tool.";
  if (status === 400)
    return `Correct ${typeof param === "string" ? param : "the arguments"} as the tool's inputSchema says, then call again.`;
  if (status >= 500) return "Retry once. If it fails again, report the request_id.";
  return "Do not retry.";
}

/** Whether a failure is answered by HTTP itself: the credential is refused, or the address is over its budget. */
export const isTransportFailure = ({ reason }: ApiError): boolean =>
  ERRORS[reason].status === 401 || reason === "ip_rate_limited" || reason === "ip_throttled";
