import { isUnavailable } from "../db/is-unavailable.ts";
import { describeError } from "../lib/console-log.ts";
import type { Log } from "../lib/log.ts";
import { ApiError, ERRORS, type Reason } from "./errors.ts";

export interface ErrorContext {
  readonly requestId: string;
  readonly method: string;
  readonly docsUrl: string;
  readonly now: Date;
  readonly log: Log;
}

/** The `error` of an error envelope. */
export type ErrorBody = Readonly<Record<string, unknown>>;

/** Any failure as the error envelope. What is not an ApiError is translated here, once, and its cause stays in the log. */
export function presentError(error: unknown, context: ErrorContext): Response {
  const { reason, status, headers, body } = describeFailure(error, context);
  if (reason === "internal_error" || reason === "database_unavailable") {
    context.log.error("request failed", { request_id: context.requestId, reason, error: describeError(error) });
  }
  const envelope = { object: "error", error: body, meta: { request_id: context.requestId, cached: false, cost: 1 } };
  return new Response(JSON.stringify(envelope), { status, headers });
}

/** What a failure is answered with. */
export function describeFailure(
  error: unknown,
  context: Pick<ErrorContext, "method" | "docsUrl" | "now">,
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
  return new ApiError(isUnavailable(error) ? "database_unavailable" : "internal_error", { cause: error });
}

/** @returns at least a second from now; null when nothing is said about coming back */
function decideRetryAt(error: ApiError, { method, now }: Pick<ErrorContext, "method" | "now">): number | null {
  const { retry } = ERRORS[error.reason];
  if (retry === "never") return null;
  // A mutation that timed out may have completed: the client has to look before it repeats.
  if (error.reason === "request_timeout" && method !== "GET" && method !== "HEAD") return null;
  const { retryAt, retryAfterSeconds = retry.afterSeconds } = error.detail;
  return Math.max(now.getTime() + 1000, retryAt?.getTime() ?? now.getTime() + retryAfterSeconds * 1000);
}
