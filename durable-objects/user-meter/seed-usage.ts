import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../src/db/client.ts";
import { QUOTA_FREE_OPERATIONS } from "../../src/domain/monthly-quota.ts";
import type { MeterState } from "./decide-admission.ts";
import type { MeterStorage, UsageTotal } from "./meter-storage.ts";
import { countIn, dayOf, firstDayOfLastMonth, monthOf } from "./month.ts";

const Row = z.object({ day: z.string(), key_id: z.coerce.number().int(), operation: z.string(), requests: z.coerce.number().int() });

/**
 * Takes in what Postgres has of an account whose object is new: nothing for a new account, the totals of before for one whose object has
 * lost its storage. Must come before the first flush: a total that was flushed unseeded would be read back and added to itself.
 *
 * @throws what Postgres or the way there failed with
 */
export async function seedUsage(storage: MeterStorage, db: Database, accountId: number, nowMs: number): Promise<void> {
  const { rows } = await db.execute(sql`
    select to_char(day, 'YYYY-MM-DD') as day, key_id, operation, requests from usage_days
    where account_id = ${accountId} and day >= ${firstDayOfLastMonth(nowMs)}::date`);
  const totals = z.array(Row).parse(rows);
  // Requests that were admitted during the read are in the state by now, and are added to.
  storage.seed(addTotals(storage.readState(), totals, nowMs), totals);
}

/** The state with the primary requests of before in its month and day. */
export function addTotals(state: MeterState, totals: readonly UsageTotal[], nowMs: number): MeterState {
  const atMs = Math.max(nowMs, state.latestMs);
  const [month, day] = [monthOf(atMs), dayOf(atMs)];
  const primary = totals.filter(({ operation }) => !QUOTA_FREE_OPERATIONS.includes(operation));
  const sumOf = (period: string) =>
    primary.filter((total) => total.day.startsWith(period)).reduce((sum, { requests }) => sum + requests, 0);
  return {
    ...state,
    month: { period: month, used: countIn(state.month, month) + sumOf(month) },
    day: { period: day, used: countIn(state.day, day) + sumOf(day) },
  };
}
