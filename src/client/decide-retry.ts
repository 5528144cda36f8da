import { ApiError, ConnectionError } from "./api-error.ts";

export interface CallAttempt {
  /** A read can be repeated whatever became of it. */
  readonly isRead: boolean;
  /** With an Idempotency-Key a repeat returns the first outcome. */
  readonly hasIdempotencyKey: boolean;
  /** From 0. */
  readonly attempt: number;
  readonly maxRetries: number;
  /** A longer wait is left to the caller: the error is thrown at once. */
  readonly maxWaitMs: number;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
const SPREAD_MS = 250;

/**
 * How long to wait before an attempt is repeated, in milliseconds; null when it must not be repeated.
 *
 * @param random from 0 to 1
 */
export function decideRetry(error: unknown, attempted: CallAttempt, random: number): number | null {
  const { attempt, maxRetries, maxWaitMs } = attempted;
  if (attempt >= maxRetries || !isRepeatable(error, attempted)) return null;
  const askedMs = error instanceof ApiError ? error.retryAfterMs : null;
  if (askedMs !== null) return askedMs > maxWaitMs ? null : askedMs + random * SPREAD_MS;
  return (0.5 + random / 2) * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt);
}

function isRepeatable(error: unknown, { isRead, hasIdempotencyKey, attempt }: CallAttempt): boolean {
  const isSafe = isRead || hasIdempotencyKey;
  if (error instanceof ConnectionError) return isSafe;
  if (!(error instanceof ApiError)) return false;
  switch (error.status) {
    case 408:
      // Of a mutation it is unknown whether it still runs.
      return isRead;
    case 409:
      // The attempt that was lost still runs, and its outcome will be there.
      return hasIdempotencyKey && error.reason === "idempotency_in_progress" && attempt > 0;
    case 429:
    case 503:
      return isSafe || hasNotRun(error);
    case 502:
    case 504:
      return isSafe;
    default:
      return false;
  }
}

/** Whether the API, and not something in between, says that the request was refused before it ran. */
const hasNotRun = ({ status, code, reason, body }: ApiError): boolean =>
  body !== null &&
  (status === 429
    ? code === "rate_limited"
    : code === "rate_limit_unavailable" && (reason === null || reason === "request_accounting_unavailable"));
