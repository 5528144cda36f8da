import type { Log } from "../platform/log/log.ts";
import type { Reason } from "./errors.ts";

/** Facts for the log line of one request, collected while the request is handled. */
export interface RequestTrace {
  /** The operation's id; null when no operation handles the request. */
  operation: string | null;
  /** The account of a valid key; null without one. */
  accountId: number | null;
  /**
   * How a cacheable response was found: cached, computed by a concurrent request, or computed; null when not
   * cacheable.
   */
  cache: "hit" | "shared" | "miss" | null;
  /** Why the request failed; null for a success. */
  reason: Reason | null;
}

export const newTrace = (): RequestTrace => ({ operation: null, accountId: null, cache: null, reason: null });

/** What the log line states beside the trace. */
export interface CompletedRequest {
  readonly requestId: string;
  readonly method: string;
  readonly status: number;
  readonly durationMs: number;
  readonly isWebsite: boolean;
  /** The part of requests that is logged, from 0 to 1. */
  readonly sampleRate: number;
}

/**
 * One line per request. It names the operation, never the URL, which may contain what a client should not
 * have sent. A part of the requests is logged, chosen by their ids; each line of a part states the rate, of which
 * counts can be estimated. Our own errors are always logged.
 */
export function logRequest(log: Log, trace: RequestTrace, request: CompletedRequest): void {
  const { sampleRate } = request;
  const isOurError = request.status >= 500;
  if (!isOurError && !isInSample(request.requestId, sampleRate)) return;
  const { operation, accountId, cache, reason } = trace;
  const { requestId, method, status, durationMs, isWebsite } = request;
  log.info("request.completed", {
    ...{ request_id: requestId, operation, method, status, reason, duration_ms: durationMs },
    ...{ cache, account_id: accountId, is_website: isWebsite },
    ...(sampleRate < 1 && !isOurError ? { sample_rate: sampleRate } : {}),
  });
}

const SAMPLED_DIGITS = 8;

/** @param requestId ends in random hex digits */
const isInSample = (requestId: string, rate: number): boolean =>
  Number.parseInt(requestId.slice(-SAMPLED_DIGITS), 16) < rate * 16 ** SAMPLED_DIGITS;
