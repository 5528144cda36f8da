import { isDatabaseUnavailable } from "../../db/is-database-unavailable.ts";
import { describeError, describeStack } from "../../platform/log/console-log.ts";
import type { Log } from "../../platform/log/log.ts";
import { ApiError, ERRORS, type Reason, type Retry } from "../errors.ts";
import type { RequestTrace } from "../request-trace.ts";

export interface ErrorContext {
  readonly requestId: string;
  readonly method: string;
  readonly docsUrl: string;
  readonly now: Date;
  /** From 0, included, to 1, excluded. */
  readonly random: () => number;
  readonly log: Log;
  readonly trace: RequestTrace;
}

/** The `error` of an error envelope. */
export type ErrorBody = Readonly<Record<string, unknown>>;

/**
 * The error envelope of any failure. Errors other than ApiError are translated here only; their cause stays
 * in the log.
 */
export function presentError(error: unknown, context: ErrorContext): Response {
  const { reason, status, headers, body } = describeFailure(error, context);
  context.trace.reason = reason;
  if (reason === "internal_error" || reason === "database_unavailable") {
    const { operation, accountId } = context.trace;
    context.log.error("request.failed", {
      ...{ request_id: context.requestId, operation, method: context.method, account_id: accountId, reason },
      ...{ error: describeError(error), stack: describeStack(error) },
    });
  }
  const envelope = { object: "error", error: body, meta: { request_id: context.requestId, cached: false, cost: 1 } };
  return new Response(JSON.stringify(envelope), { status, headers });
}

/** Status, headers and `error` body of a failure. */
export function describeFailure(
  error: unknown,
  context: Pick<ErrorContext, "method" | "docsUrl" | "now" | "random">,
): { reason: Reason; status: number; headers: Headers; body: ErrorBody } {
  const apiError = toApiError(error);
  const { status, code, published } = ERRORS[apiError.reason];
  const retryAtMs = decideRetryAt(apiError, context);
  const headers = new Headers({ "content-type": "application/json; charset=utf-8", ...apiError.detail.headers });
  if (retryAtMs !== null) headers.set("Retry-After", String(Math.ceil((retryAtMs - context.now.getTime()) / 1000)));
  const body = {
    code,
    message: apiError.message,
    doc_url: `${context.docsUrl}/errors#${published ? apiError.reason : code}`,
    param: apiError.detail.param ?? null,
    ...(published ? { reason: apiError.reason } : {}),
    ...(retryAtMs === null ? {} : { retry_at: new Date(retryAtMs).toISOString() }),
    ...(apiError.detail.freshness === undefined ? {} : { freshness: apiError.detail.freshness }),
  };
  return { reason: apiError.reason, status, headers, body };
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(isDatabaseUnavailable(error) ? "database_unavailable" : "internal_error", { cause: error });
}

/** @returns Unix milliseconds, at least one second from now; null when the response suggests no retry */
function decideRetryAt(
  error: ApiError,
  { method, now, random }: Pick<ErrorContext, "method" | "now" | "random">,
): number | null {
  const { retry }: { retry: Retry } = ERRORS[error.reason];
  if (retry === "never") return null;
  // A mutation that timed out may have completed: the client must check before it retries.
  if (error.reason === "request_timeout" && method !== "GET" && method !== "HEAD") return null;
  const { retryAt, retryAfterSeconds = defaultSeconds(retry, random) } = error.detail;
  return Math.max(now.getTime() + 1000, retryAt?.getTime() ?? now.getTime() + retryAfterSeconds * 1000);
}

/** Whole seconds, because `Retry-After` has no fractions. */
const defaultSeconds = ({ afterSeconds, spreadSeconds = 0 }: Exclude<Retry, "never">, random: () => number): number =>
  afterSeconds + Math.floor((spreadSeconds + 1) * random());
