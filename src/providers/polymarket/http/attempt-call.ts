import { ProviderRefused } from "../../../platform/provider.ts";
import type { Clock } from "../../../lib/timing/clock.ts";
import { afterOf, withTimeout } from "../../../lib/timing/with-timeout.ts";

/** An attempt failed with an error that may not occur again. */
export class FailedAttempt extends Error {
  override name = "FailedAttempt";
  /** The provider's `Retry-After`, ms; null when it sent none. */
  readonly retryAfterMs: number | null;
  constructor(message: string, retryAfterMs: number | null, options?: ErrorOptions) {
    super(message, options);
    this.retryAfterMs = retryAfterMs;
  }
}

export interface HttpCall {
  readonly url: string;
  /** Sent as JSON in a POST; absent for a GET. */
  readonly body?: unknown;
}

export interface AttemptSettings {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly clock: Pick<Clock, "now" | "wait">;
  readonly timeoutMs: number;
}

/** Client errors that are temporary: a challenge or block of the edge, a timeout, a rate limit. */
const TEMPORARY_CLIENT_ERRORS = new Set([403, 408, 425, 429]);
const REFUSAL_TEXT_LENGTH = 200;

/**
 * Makes one HTTP call and returns the JSON of its response.
 *
 * @throws ProviderRefused for a request that will never succeed
 * @throws FailedAttempt for every error that may pass, including invalid JSON with status 200
 */
export async function attemptCall(call: HttpCall, settings: AttemptSettings): Promise<unknown> {
  const { clock, timeoutMs } = settings;
  const request = new AbortController();
  const createError = () => new FailedAttempt(`no response within ${timeoutMs} ms`, null);
  try {
    return await withTimeout(readResponse(call, request.signal, settings), timeoutMs, createError, afterOf(clock));
  } catch (error) {
    if (error instanceof ProviderRefused || error instanceof FailedAttempt) throw error;
    throw new FailedAttempt("the connection failed", null, { cause: error });
  } finally {
    // Cancels a request that did not respond in time.
    request.abort();
  }
}

async function readResponse(
  { url, body }: HttpCall,
  signal: AbortSignal,
  { fetch, clock }: AttemptSettings,
): Promise<unknown> {
  // The edge rejects clients without a user agent.
  const headers = {
    accept: "application/json",
    "user-agent": "Mozilla/5.0 (compatible; prediction-market-activity-api)",
  };
  const response = await fetch(
    url,
    body === undefined
      ? { headers, signal }
      : {
          method: "POST",
          headers: { ...headers, "content-type": "application/json" },
          body: JSON.stringify(body),
          signal,
        },
  );
  const text = await response.text();
  if (response.ok) return parseJson(text, response.status);
  if (response.status >= 400 && response.status < 500 && !TEMPORARY_CLIENT_ERRORS.has(response.status)) {
    throw new ProviderRefused(`status ${response.status}: ${text.slice(0, REFUSAL_TEXT_LENGTH)}`);
  }
  throw new FailedAttempt(
    `status ${response.status}`,
    parseRetryAfter(response.headers.get("retry-after"), clock.now()),
  );
}

function parseJson(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new FailedAttempt(`status ${status} without JSON`, null, { cause });
  }
}

/**
 * Parses `Retry-After` (seconds or a date) into milliseconds to wait; null when the header is missing or
 * invalid.
 */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d{1,6}(\.\d+)?$/.test(header.trim())) return Math.ceil(Number(header) * 1000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
