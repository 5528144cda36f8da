import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { inTransaction, sessionOf } from "../../db/client.ts";
import { largeTrades, picks, publishedFlowAlerts } from "../../db/schema.ts";
import { selectRow } from "../../db/sql.ts";
import { ALL_MONTHS, RECORD_KINDS, type RecordKind } from "../../domain/record/record-kinds.ts";
import { startOfMonth, utcMonth } from "../../scoring/utc-calendar.ts";
import type { MonthRange } from "./select-claims.ts";
import { writeClusters, writePeriod } from "./write-record.ts";

// Key of the Postgres advisory lock; any number unique to this purpose.
const RECORD_LOCK = 7_201_461;

/** The pause between runs. */
export const RECORD_EVERY_MS = 600_000;

/** Months that every run computes; of all earlier ones a run computes one, each in its turn. */
const NEWEST_MONTHS = 2;

/**
 * Updates the public record of the newest months and of one earlier month, in one transaction for each kind and month.
 * The total is updated with each month. A kill between two leaves the rest for the next run.
 */
export async function buildRecord(pool: Pool, now: Date): Promise<void> {
  const first = await findFirstMonth(pool);
  const months = first === null ? [] : monthsToCompute(first, now);
  // Without any month, the total alone: it says that the record was built.
  for (const kind of RECORD_KINDS)
    for (const month of months.length === 0 ? [null] : months) await buildMonth(pool, kind, month, now);
}

/** The UTC month of the first large trade, alert or pick; null before any. */
async function findFirstMonth(pool: Pool): Promise<string | null> {
  const row = await selectRow(
    sessionOf(pool),
    sql`select to_char(least((select min(${largeTrades.tradedAt}) from ${largeTrades}),
         (select min(${publishedFlowAlerts.publishedAt}) from ${publishedFlowAlerts}),
         (select min(${picks.publishedAt}) from ${picks})) at time zone 'UTC', 'YYYY-MM') as first`,
    z.object({ first: z.string().nullable() }),
  );
  return row?.first ?? null;
}

/** @param month null for the total alone */
async function buildMonth(pool: Pool, kind: RecordKind, month: MonthRange | null, now: Date): Promise<void> {
  await inTransaction(pool, async (session) => {
    // Two builds would write each other's older sums. A second one leaves the work to the first.
    const lock = await selectRow(
      session,
      sql`select pg_try_advisory_xact_lock(${RECORD_LOCK}) as taken`,
      z.object({ taken: z.boolean() }),
    );
    if (lock?.taken !== true) return;
    if (month !== null) {
      await writeClusters(session, kind, month);
      await writePeriod(session, kind, month.month, now);
    }
    await writePeriod(session, kind, ALL_MONTHS, now);
  });
}

/**
 * The months of one run, newest first.
 *
 * @param first the first month with a claim, `2026-11`
 */
export function monthsToCompute(first: string, now: Date): readonly MonthRange[] {
  const months: MonthRange[] = [];
  for (let back = 0; ; back += 1) {
    const range = monthBefore(now, back);
    if (back > 0 && range.month < first) break;
    months.push(range);
  }
  const earlier = months.slice(NEWEST_MONTHS);
  const turn = earlier[Math.floor(now.getTime() / RECORD_EVERY_MS) % Math.max(1, earlier.length)];
  return [...months.slice(0, NEWEST_MONTHS), ...(turn === undefined ? [] : [turn])];
}

function monthBefore(now: Date, back: number): MonthRange {
  const [from, to] = [startOfMonth(now.getTime(), -back), startOfMonth(now.getTime(), 1 - back)];
  return { month: utcMonth(from), from: new Date(from), to: new Date(to) };
}
