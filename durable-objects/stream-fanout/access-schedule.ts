import { CHECK_INTERVAL_MS, CHECK_RUN_MS, CHECK_TOLERANCE_MS } from "../../src/stream/access-timing.ts";

/** A connection whose access the shard checks. */
export interface DueConnection {
  readonly accountId: number;
  /** When its access is due to be checked, Unix milliseconds. */
  readonly dueMs: number;
}

/**
 * When the access of a new connection is due: with the other connections of its account, because one check covers all of
 * them. The first one of an account is due at a random time, so that accounts that connect together, after a deployment,
 * are not checked together. Never later than 30 seconds after the last check.
 *
 * @param checkedMs when the last check that confirmed the access began, by the clock of another machine
 * @param accountDueMs when the account is due; null for its first connection
 * @param random from 0, included, to 1, excluded
 */
export function decideFirstDue(
  checkedMs: number,
  accountDueMs: number | null,
  nowMs: number,
  random: () => number,
): number {
  const latestMs = Math.max(nowMs, Math.min(checkedMs, nowMs) + CHECK_INTERVAL_MS);
  if (accountDueMs !== null) return Math.min(accountDueMs, latestMs);
  return Math.floor(nowMs + (latestMs - nowMs) * random());
}

/** When each account is due: with its first connection. */
export function dueTimes(connections: Iterable<DueConnection>): Map<number, number> {
  const times = new Map<number, number>();
  for (const { accountId, dueMs } of connections)
    times.set(accountId, Math.min(times.get(accountId) ?? Infinity, dueMs));
  return times;
}

/** The accounts to check now, the longest due first. */
export function listDueAccounts(connections: Iterable<DueConnection>, nowMs: number): number[] {
  return [...dueTimes(connections)]
    .filter(([, dueMs]) => dueMs <= nowMs + CHECK_TOLERANCE_MS)
    .toSorted(([, left], [, right]) => left - right)
    .map(([accountId]) => accountId);
}

/**
 * When checks run next: at the first due time, but at most once in five seconds.
 *
 * @param lastRunMs Unix milliseconds of the last run; 0 before the first
 * @returns null without connections
 */
export function decideNextRun(connections: Iterable<DueConnection>, lastRunMs: number): number | null {
  const firstDueMs = Math.min(...dueTimes(connections).values());
  return firstDueMs === Infinity ? null : Math.max(firstDueMs, lastRunMs + CHECK_RUN_MS);
}
