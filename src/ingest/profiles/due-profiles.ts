import type { Pool } from "@neondatabase/serverless";
import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { s, totals, tp } from "../../db/aliases.ts";
import { sessionOf, type Session } from "../../db/client.ts";
import { isHistoryKnown } from "../../db/fragments/completeness.ts";
import { array, columnNames, integer, run, selectRows, timestamp } from "../../db/sql.ts";
import type { IngestMessage } from "../../messages/ingest-message.ts";
import { isRankingDue } from "./rank-profiles.ts";

/**
 * Minimum age of a profile before it is recomputed: the first if the trader's totals have changed, the second
 * for an inactive trader, because trailing days pass. A profile reads all entries of its trader: with more than
 * ENTRIES_OF_FIRST_AGE the first age grows with their number, up to the second one. In the generated history of the
 * benchmark one in two hundred followed traders has more, and they have three quarters of all entries.
 */
const CHANGED_AFTER_SECONDS = 600;
const INACTIVE_AFTER_SECONDS = 3 * 3600;
const ENTRIES_OF_FIRST_AGE = 2_000;
const TRADERS_AT_ONCE = 500;
const TRADERS_PER_MESSAGE = 20;
/**
 * Bounds the work of a message: a hundred thousand entries were measured to take half a second to a second, and two messages
 * run at once.
 */
const ENTRIES_PER_MESSAGE = 50_000;

/** Increase when a formula changes; every profile is then recomputed. */
const PROFILE_VERSION = "3";

/**
 * SQL of a profile's basis: the inputs that it was computed from, as text. The totals show nearly every
 * change. A change that moves no total (a sold position settles, a market gets its category) appears with the
 * next profile of an inactive trader.
 */
const BASIS: SQL = sql`concat_ws(':', ${PROFILE_VERSION}::text, ${totals.realizedMicro}, ${totals.settledMicro},
  ${totals.volumeMicro}, ${totals.feesMicro}, ${totals.rebatesMicro}, ${totals.entryCount})`;

/**
 * The basis stored with a profile that left out settled bets because they were not scored yet. It never
 * equals the current basis, so the profile stays due.
 */
export const unscoredBasis = (basis: string): string => `${basis}:uncounted`;

/** The trader's history in ordinary markets is known. All other traders have no profile. */
const HAS_KNOWN_HISTORY: SQL = isHistoryKnown(s);

const isOlderThan = (seconds: number | SQL, now: Date): SQL =>
  sql`${tp.computedAt} <= ${timestamp(now)} - make_interval(secs => ${seconds})`;

const CHANGED_AFTER: SQL = sql`least(${INACTIVE_AFTER_SECONDS},
  ${CHANGED_AFTER_SECONDS} * greatest(1, ${totals.entryCount}::float8 / ${ENTRIES_OF_FIRST_AGE}))`;

/** `from` and `where` of the traders whose profile is due at this time. */
const whereDue = (now: Date): SQL => sql`from ${s}
  join ${totals} using (${columnNames(totals.traderId)})
  left join ${tp} using (${columnNames(tp.traderId)})
  where ${HAS_KNOWN_HISTORY} and (
    ${tp.traderId} is null
    or ${isOlderThan(INACTIVE_AFTER_SECONDS, now)}
    or (${isOlderThan(CHANGED_AFTER, now)} and ${tp.basis} <> ${BASIS}))`;

/**
 * Lists the messages for the profiles that are due, oldest first, and for the comparison of all profiles if
 * that is due. A trader stays due until its profile is stored, so it may be listed again meanwhile; the
 * second message finds nothing to do.
 */
export async function listDueProfiles(pool: Pool, now: Date): Promise<IngestMessage[]> {
  await dropIncomplete(pool);
  const rows = await selectRows(
    sessionOf(pool),
    sql`select ${s.traderId}, ${totals.entryCount} ${whereDue(now)}
     order by ${tp.computedAt} nulls first, ${s.traderId} limit ${TRADERS_AT_ONCE}`,
    z.object({ trader_id: integer, entry_count: integer }),
  );
  const messages: IngestMessage[] = groupTraders(rows).map((ids) => ({ kind: "profile_traders", trader_ids: ids }));
  if (await isRankingDue(pool, now)) messages.push({ kind: "rank_profiles" });
  return messages;
}

/** Groups traders in order, so that one transaction can read each group in a few seconds. */
function groupTraders(rows: readonly { trader_id: number; entry_count: number }[]): number[][] {
  const slices: number[][] = [];
  let slice: number[] = [];
  let entries = 0;
  for (const { trader_id: id, entry_count: count } of rows) {
    if (slice.length === TRADERS_PER_MESSAGE || (slice.length > 0 && entries + count > ENTRIES_PER_MESSAGE)) {
      slices.push(slice);
      slice = [];
      entries = 0;
    }
    slice.push(id);
    entries += count;
  }
  return slice.length === 0 ? slices : [...slices, slice];
}

/** A trader that is no longer tracked, or has activity that positions do not follow, loses its profile. */
async function dropIncomplete(pool: Pool): Promise<void> {
  await run(
    sessionOf(pool),
    sql`delete from ${tp}
     where not exists (select from ${s} where ${s.traderId} = ${tp.traderId} and ${HAS_KNOWN_HISTORY})`,
  );
}

/** The traders among these that are still due, with the basis of their new profile. */
export async function listTradersWithDueProfile(
  session: Session,
  traderIds: readonly number[],
  now: Date,
): Promise<{ traderId: number; basis: string }[]> {
  const rows = await selectRows(
    session,
    sql`select ${s.traderId}, ${BASIS} as basis ${whereDue(now)}
       and ${s.traderId} = any(${array(traderIds, "bigint")}) order by ${s.traderId}`,
    z.object({ trader_id: integer, basis: z.string() }),
  );
  return rows.map((row) => ({ traderId: row.trader_id, basis: row.basis }));
}
