import { sql } from "drizzle-orm";
import { z } from "zod";
import { l } from "../../src/db/aliases.ts";
import type { Database } from "../../src/db/client.ts";
import {
  games,
  largeTrades,
  oauthCodes,
  oauthDeviceCodes,
  oauthRefreshTokens,
  outboxEpoch,
} from "../../src/db/schema.ts";
import { columnName, selectRow } from "../../src/db/sql.ts";
import { OperatorError } from "./arguments.ts";

/**
 * By how much every sequence of row ids advances, at least: more rows than any table but those of the ledger gets in
 * a month. Larger tables advance by a tenth.
 */
const MIN_ID_GAP = 1_000_000;
/** By how much the version of every game advances: more changes than a game has, at three a minute. */
const VERSION_GAP = 10_000;

/**
 * Begins a new epoch of the outbox. This is required after a restore or a failover that lost transactions,
 * before any write: earlier cursors are then refused, and no event gets the id of another one. The
 * epoch's number is the clock in seconds, because two restores of one backup both find the backup's number in
 * use.
 *
 * A logical restore restarts the transaction numbers, so earlier large trades would sort after all new ones.
 * They get commit number 1 and sort before them, in the order of their ids. That is their commit order,
 * because all of them are recorded under one lock.
 *
 * Three more consequences of a restore end in the same statement. The restored sequences would issue row ids again that
 * clients and objects know already: `wt_` ids by which clients drop repeats, the accounts whose numbers name meters, and
 * the endpoints whose numbers name objects. So every sequence advances. The games' version numbers, which clients compare,
 * advance for the same reason. And an OAuth grant that was revoked after the restored
 * moment is live again, so no refresh token and no code works from here on: clients ask their users again. Access tokens
 * and keys need nothing, because meters remember their revocation.
 */
export async function beginEpoch(db: Database, now: Date): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1000);
  const { epoch } = outboxEpoch;
  const begun = await selectRow(
    db,
    sql`
      with begun as (
        insert into ${outboxEpoch} (${columnName(epoch)})
        select ${seconds}::int where ${seconds}::int > all (select ${epoch} from ${outboxEpoch}) returning ${epoch}
      ), put_back as (
        update ${largeTrades} set ${columnName(largeTrades.commitXid)} = '1' where exists (select from begun)
          and exists (select from ${l} where ${l.commitXid} >= pg_snapshot_xmax(pg_current_snapshot()))
      ), versions as (
        update ${games} set ${columnName(games.version)} = ${games.version} + ${VERSION_GAP}
        where exists (select from begun)
      ), refresh as (delete from ${oauthRefreshTokens} where exists (select from begun) returning 1),
      codes as (delete from ${oauthCodes} where exists (select from begun) returning 1),
      devices as (delete from ${oauthDeviceCodes} where exists (select from begun) returning 1)
      select epoch,
        (select count(setval(format('%I.%I', schemaname, sequencename)::regclass,
          coalesce(last_value, 0) + greatest(${MIN_ID_GAP}::bigint, coalesce(last_value, 0) / 10)))
        from pg_sequences where schemaname = 'public')::int as sequences,
        (select count(*) from refresh)::int as refresh_tokens
      from begun`,
    z.object({ epoch: z.number(), sequences: z.number(), refresh_tokens: z.number() }),
  );
  if (begun === null)
    throw new OperatorError("The current epoch began in this second or is ahead of this clock. Nothing has changed.");
  return [
    `Epoch ${seconds} of the events has begun. Earlier cursors are refused with cursor_expired.`,
    `${begun.sequences} sequences of row ids have advanced: no id from after the restored moment is issued again.`,
    `${begun.refresh_tokens} OAuth refresh tokens are void, because some may have been revoked after that moment.`,
  ].join("\n");
}
