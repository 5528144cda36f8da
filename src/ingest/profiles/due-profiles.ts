import type { Pool } from "@neondatabase/serverless";
import type { Session } from "../../db/client.ts";
import { isHistoryKnown } from "../../db/completeness.ts";
import type { IngestMessage } from "../../messages/ingest.ts";
import { isRankingDue } from "./rank-profiles.ts";

/** A wallet whose totals have moved gets a new profile no sooner than this after the last; one at rest, because its trailing days pass. */
const CHANGED_AFTER_SECONDS = 600;
const RESTING_AFTER_SECONDS = 3 * 3600;
const WALLETS_AT_ONCE = 500;
const WALLETS_A_MESSAGE = 20;
/** A hundred thousand were seen to take half a second to a second. */
const ENTRIES_A_MESSAGE = 200_000;

/** Raised when a formula changes: every profile is then computed anew. */
const PROFILE_VERSION = "3";

/**
 * What a profile was computed from, as text. Totals name nearly every change; what moves none of them (a position that was sold off settles, a
 * market gets its category) shows with the next profile of a wallet at rest.
 */
const BASIS = `concat_ws(':', '${PROFILE_VERSION}', t.realized_micro, t.settled_micro, t.volume_micro, t.fees_micro, t.rebates_micro,
  t.entry_count)`;

/** What is stored as the basis of a profile that left settled bets out because they were not counted yet: it never is the basis, so the profile is due again. */
export const uncountedBasis = (basis: string): string => `${basis}:uncounted`;

/** Wallets whose history in ordinary markets is known: all others have no profile. */
const COMPLETE = isHistoryKnown("s");

/** `from` and `where` of the wallets whose profile is due at $1. */
const DUE = `from wallet_syncs s
  join trader_totals t using (trader_id)
  left join trader_profiles p using (trader_id)
  where ${COMPLETE} and (
    p.trader_id is null
    or p.computed_at <= $1::timestamptz - make_interval(secs => ${RESTING_AFTER_SECONDS})
    or (p.computed_at <= $1::timestamptz - make_interval(secs => ${CHANGED_AFTER_SECONDS}) and p.basis <> ${BASIS}))`;

/**
 * Hands out the profiles that are due, the oldest first, and the comparison of all of them once it is. A wallet stays due until its profile is
 * stored, so it may be handed out again meanwhile; the second message finds nothing to do.
 */
export async function handOutProfiles(pool: Pool, now: Date): Promise<IngestMessage[]> {
  await dropIncomplete(pool);
  const { rows } = await pool.query<{ trader_id: string; entry_count: number }>(
    `select s.trader_id, t.entry_count ${DUE} order by p.computed_at nulls first, s.trader_id limit $2`,
    [now.toISOString(), WALLETS_AT_ONCE],
  );
  const messages: IngestMessage[] = inSlices(rows).map((ids) => ({ kind: "profile_wallets", trader_ids: ids }));
  if (await isRankingDue(pool, now)) messages.push({ kind: "rank_profiles" });
  return messages;
}

/** Wallets in order, as many together as one transaction can read in a few seconds. */
function inSlices(rows: readonly { trader_id: string; entry_count: number }[]): number[][] {
  const slices: number[][] = [];
  let slice: number[] = [];
  let entries = 0;
  for (const { trader_id: id, entry_count: count } of rows) {
    if (slice.length === WALLETS_A_MESSAGE || (slice.length > 0 && entries + count > ENTRIES_A_MESSAGE)) {
      slices.push(slice);
      slice = [];
      entries = 0;
    }
    slice.push(Number(id));
    entries += count;
  }
  return slice.length === 0 ? slices : [...slices, slice];
}

/** A wallet that is no longer followed, or does what positions do not follow, loses its profile. */
async function dropIncomplete(pool: Pool): Promise<void> {
  await pool.query(
    `delete from trader_profiles p
     where not exists (select from wallet_syncs s where s.trader_id = p.trader_id and ${COMPLETE})`,
  );
}

/** Which of these wallets are still due, with what their profile will rest on. */
export async function listDue(session: Session, traderIds: readonly number[], now: Date): Promise<{ traderId: number; basis: string }[]> {
  const { rows } = await session.query<{ trader_id: string; basis: string }>(
    `select s.trader_id, ${BASIS} as basis ${DUE} and s.trader_id = any($2::bigint[]) order by s.trader_id`,
    [now.toISOString(), traderIds],
  );
  return rows.map((row) => ({ traderId: Number(row.trader_id), basis: row.basis }));
}
