import { ProviderRefused } from "../../../ports/provider.ts";
import type { Sleep } from "./sleep.ts";

/** An attempt failed in a way the next one may not. */
export class FailedAttempt extends Error {
  override name = "FailedAttempt";
  /** What the provider asked for; null when it did not. */
  readonly retryAfterMs: number | null;
  constructor(message: string, retryAfterMs: number | null, options?: ErrorOptions) {
    super(message, options);
    this.retryAfterMs = retryAfterMs;
  }
}

export interface Call {
  readonly url: string;
  /** Posted as JSON; absent for a GET. */
  readonly body?: unknown;
}

export interface AttemptSettings {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly now: () => number;
  readonly sleep: Sleep;
  readonly timeoutMs: number;
}

/** Client errors that pass: a challenge or block of the edge, a timeout, a limit. */
const PASSING_CLIENT_ERRORS = new Set([403, 408, 425, 429]);
const REFUSAL_TEXT_LENGTH = 200;

/**
 * One call with one answer: its JSON.
 *
 * @throws ProviderRefused for a request that will never pass
 * @throws FailedAttempt for everything that may pass next time, garbage with status 200 included
 */
export async function attempt(call: Call, settings: AttemptSettings): Promise<unknown> {
  // Aborted when the race is over either way, which ends the other side: the timer, or the request.
  const over = new AbortController();
  const timeout = settings.sleep(settings.timeoutMs, over.signal).then(() => {
    throw new FailedAttempt(`no answer within ${settings.timeoutMs} ms`, null);
  });
  try {
    return await Promise.race([readAnswer(call, over.signal, settings), timeout]);
  } catch (error) {
    if (error instanceof ProviderRefused || error instanceof FailedAttempt) throw error;
    throw new FailedAttempt("the connection failed", null, { cause: error });
  } finally {
    over.abort();
  }
}

async function readAnswer({ url, body }: Call, signal: AbortSignal, { fetch, now }: AttemptSettings): Promise<unknown> {
  // The edge turns away clients that do not name themselves.
  const headers = { accept: "application/json", "user-agent": "Mozilla/5.0 (compatible; prediction-market-activity-api)" };
  const response = await fetch(
    url,
    body === undefined
      ? { headers, signal }
      : { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body), signal },
  );
  const text = await response.text();
  if (response.ok) return parseJson(text, response.status);
  if (response.status >= 400 && response.status < 500 && !PASSING_CLIENT_ERRORS.has(response.status)) {
    throw new ProviderRefused(`status ${response.status}: ${text.slice(0, REFUSAL_TEXT_LENGTH)}`);
  }
  throw new FailedAttempt(`status ${response.status}`, parseRetryAfter(response.headers.get("retry-after"), now()));
}

function parseJson(text: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new FailedAttempt(`status ${status} without JSON`, null, { cause });
  }
}

/** Milliseconds to wait, from seconds or a date; null when the header is missing or says neither. */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d{1,6}(\.\d+)?$/.test(header.trim())) return Math.ceil(Number(header) * 1000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
