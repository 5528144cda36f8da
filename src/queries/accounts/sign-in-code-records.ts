import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { signInCodes } from "../../db/sign-in-tables.ts";
import { columnName, columnNames, selectRow, timestamp } from "../../db/sql.ts";

/** How many expired codes each insert deletes, so that there are never many. */
const EXPIRED_PER_INSERT = 20;

export interface NewSignInCode {
  /** The id of the sign-in request. */
  readonly id: string;
  readonly hash: string;
  readonly expiresAt: Date;
}

export async function insertSignInCode(db: Database, { id, hash, expiresAt }: NewSignInCode, now: Date): Promise<void> {
  await db.execute(sql`
    with swept as (
      delete from ${signInCodes} where ${signInCodes.id} in (
        select ${signInCodes.id} from ${signInCodes} where ${signInCodes.expiresAt} <= ${timestamp(now)}
          limit ${EXPIRED_PER_INSERT} for update skip locked)
    )
    insert into ${signInCodes}
      (${columnNames(signInCodes.id, signInCodes.codeHash, signInCodes.guesses, signInCodes.expiresAt)})
    values (${id}, ${hash}, 0, ${timestamp(expiresAt)})`);
}

const Outcome = z.enum(["right", "wrong", "spent", "expired"]);

export type GuessOutcome = z.output<typeof Outcome>;

/**
 * Checks a guess at a code. A right guess consumes the code; a wrong one is counted. Nothing is written once
 * `most` guesses were wrong, after expiry, or when there is no such code, which also returns `wrong`.
 */
export async function guessSignInCode(
  db: Database,
  { id, hash, most }: { id: string; hash: string; most: number },
  now: Date,
): Promise<GuessOutcome> {
  const { id: codeId, codeHash, guesses, expiresAt } = signInCodes;
  const isUsable = sql`${codeId} = ${id} and ${guesses} < ${most} and ${expiresAt} > ${timestamp(now)}`;
  const row = await selectRow(
    db,
    // Concurrent guesses wait for each other and then see whether the code is still open. A guess that finds
    // the code consumed in the meantime returns `wrong`: it was neither compared nor counted.
    sql`
      with used as (
        delete from ${signInCodes} where ${isUsable} and ${codeHash} = ${hash} returning ${codeId}
      ), missed as (
        update ${signInCodes} set ${columnName(guesses)} = ${guesses} + 1
        where ${isUsable} and ${codeHash} <> ${hash} returning ${codeId}
      )
      select case
        when exists (select from used) then 'right'
        when exists (select from missed) then 'wrong'
        else coalesce((
          select case when ${expiresAt} <= ${timestamp(now)} then 'expired' when ${guesses} >= ${most}
            then 'spent' end
          from ${signInCodes} where ${codeId} = ${id}), 'wrong')
      end as outcome`,
    z.object({ outcome: Outcome }),
  );
  if (row === null) throw new Error("the statement returned no outcome");
  return row.outcome;
}
