import { ApiError, type ErrorFacts } from "./api-error.ts";
import { ERRORS_BY_CODE, ERRORS_BY_REASON } from "./generated/error-classes.ts";

/** The code of a response whose body is not the API's, by status. */
const CODE_BY_STATUS: Readonly<Record<number, string>> = {
  400: "bad_request",
  401: "invalid_api_key",
  402: "subscription_required",
  403: "forbidden",
  404: "not_found",
  408: "request_timeout",
  423: "account_locked",
  429: "rate_limited",
};

/** The error of a response, from its body and headers. @param text the body */
export function readError(status: number, headers: Headers, text: string, nowMs: number): ApiError {
  const body = objectOf(parseJson(text));
  return errorOf(objectOf(body["error"]), objectOf(body["meta"]), status, headers, nowMs);
}

/** The error of an `error` object, which also ends a stream. */
export function errorOf(
  error: Readonly<Record<string, unknown>>,
  meta: Readonly<Record<string, unknown>>,
  status: number,
  headers: Headers,
  nowMs: number,
): ApiError {
  const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
  const code = textOf(error["code"]);
  const retryAt = dateOf(textOf(error["retry_at"]));
  const retryAfterMs = retryAfterOf(headers.get("retry-after"), nowMs);
  const facts: ErrorFacts = {
    status,
    code: code ?? CODE_BY_STATUS[status] ?? (status < 500 ? "bad_request" : "internal_error"),
    reason: textOf(error["reason"]),
    message: textOf(error["message"]) ?? `The server responded ${status}.`,
    param: textOf(error["param"]),
    retryAt: retryAt ?? (retryAfterMs === null ? null : new Date(nowMs + retryAfterMs)),
    retryAfterMs: retryAfterMs ?? (retryAt === null ? null : Math.max(0, retryAt.getTime() - nowMs)),
    requestId: textOf(meta["request_id"]) ?? headers.get("x-request-id"),
    docUrl: textOf(error["doc_url"]),
    headers,
    body: code === null ? null : error,
  };
  const own = lookUp(ERRORS_BY_REASON, facts.reason) ?? lookUp(ERRORS_BY_CODE, facts.code) ?? ApiError;
  return new own(facts);
}

const lookUp = (table: Readonly<Record<string, typeof ApiError>>, key: string | null): typeof ApiError | undefined =>
  key !== null && Object.hasOwn(table, key) ? table[key] : undefined;

/** @param value seconds or an HTTP date; anything else is null */
function retryAfterOf(value: string | null, nowMs: number): number | null {
  if (value === null) return null;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const at = dateOf(value);
  return at === null ? null : Math.max(0, at.getTime() - nowMs);
}

const dateOf = (value: string | null): Date | null =>
  value === null || Number.isNaN(Date.parse(value)) ? null : new Date(value);

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
