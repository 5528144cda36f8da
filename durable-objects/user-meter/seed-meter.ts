import { utcDate, utcMonth } from "../../src/scoring/utc-calendar.ts";
import type { Database } from "../../src/db/client.ts";
import { QUOTA_FREE_OPERATIONS } from "../../src/domain/accounts/monthly-quota.ts";
import { seedUsage, type UsageTotal } from "../../src/queries/accounts/usage-counts.ts";
import type { MeterState } from "./decide-admission.ts";
import type { MeterStorage } from "./meter-storage.ts";
import { countIn, firstDayOfLastMonth } from "./month.ts";

/**
 * Loads the totals of an account from Postgres into a new object: none for a new account, the earlier totals
 * for an object that lost its storage. Must run before the first flush: otherwise a flushed total would be
 * read back and counted twice.
 *
 * @throws errors of the database or its connection
 */
export async function seedMeter(storage: MeterStorage, db: Database, accountId: number, nowMs: number): Promise<void> {
  const totals = await seedUsage(db, accountId, firstDayOfLastMonth(nowMs));
  // The state is read after the query, so that it includes requests admitted during it.
  storage.seed(addTotals(storage.readState(), totals, nowMs), totals);
}

/** The state with earlier primary requests added to its month and day. */
export function addTotals(state: MeterState, totals: readonly UsageTotal[], nowMs: number): MeterState {
  const atMs = Math.max(nowMs, state.latestMs);
  const [month, day] = [utcMonth(atMs), utcDate(atMs)];
  const primary = totals.filter(({ operation }) => !QUOTA_FREE_OPERATIONS.includes(operation));
  const sumOf = (period: string) =>
    primary.filter((total) => total.day.startsWith(period)).reduce((sum, { requests }) => sum + requests, 0);
  return {
    ...state,
    month: { period: month, used: countIn(state.month, month) + sumOf(month) },
    day: { period: day, used: countIn(state.day, day) + sumOf(day) },
  };
}
