import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Session } from "../../db/client.ts";
import { firstRecorded } from "../../db/fragments/archive-rows.ts";
import { archiveDays } from "../../db/schema.ts";
import { selectRow, timestamp } from "../../db/sql.ts";
import { ARCHIVE_DATASET_NAMES } from "../../domain/proofs/archive-datasets.ts";
import { DAY_MS, HOUR_MS, parseDate, utcDate } from "../../scoring/utc-calendar.ts";

/**
 * A day closes this long after its end. Clocks of the Worker, which dates pick commitments, and of the
 * database may differ by much less.
 */
const CLOSING_MS = 2 * HOUR_MS;

/** The first instant of a day and of the next one. */
export interface DayBounds {
  readonly day: string;
  readonly from: Date;
  readonly before: Date;
}

/** @throws RangeError for text that is not a date */
export function boundsOf(day: string): DayBounds {
  const from = parseDate(day);
  if (from === null) throw new RangeError(`${day} is not a date`);
  return { day, from: new Date(from), before: new Date(from + DAY_MS) };
}

const NextDay = z.object({ archived: z.string().nullable(), first: z.string().nullable() });

/**
 * The day after the last archived one; at first the day of the first row.
 *
 * @returns null while there is no row
 */
export async function findNextDay(session: Session): Promise<DayBounds | null> {
  const starts = ARCHIVE_DATASET_NAMES.map(firstRecorded);
  const row = await selectRow(
    session,
    sql`select (select max(${archiveDays.day}) from ${archiveDays})::text as archived,
      (least(${sql.join(starts, sql`, `)}) at time zone 'UTC')::date::text as first`,
    NextDay,
  );
  if (row === null) return null;
  const { archived, first } = row;
  if (archived !== null) return boundsOf(utcDate(boundsOf(archived).before.getTime()));
  return first === null ? null : boundsOf(first);
}

/**
 * Whether no row of the day can still appear. A row has the start time of its transaction, so a day is open
 * while a transaction from before its end is.
 */
export async function isDayClosed(session: Session, { before }: DayBounds, now: Date): Promise<boolean> {
  if (now.getTime() < before.getTime() + CLOSING_MS) return false;
  const row = await selectRow(
    session,
    sql`select not exists (
        select from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
          and pid <> pg_backend_pid() and xact_start < ${timestamp(before)}
      ) as closed`,
    z.object({ closed: z.boolean() }),
  );
  return row?.closed ?? false;
}
