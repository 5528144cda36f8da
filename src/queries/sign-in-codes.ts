import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { selectRows } from "./rows.ts";

/** How many expired codes one more removes, so that there are never many. */
const SWEPT = 20;

export interface NewSignInCode {
  /** Of the request that it is mailed for. */
  readonly id: string;
  readonly hash: string;
  readonly expiresAt: Date;
}

export async function insertSignInCode(db: Database, { id, hash, expiresAt }: NewSignInCode, now: Date): Promise<void> {
  await db.execute(sql`
    with swept as (
      delete from sign_in_codes where id in (
        select id from sign_in_codes where expires_at <= ${now.toISOString()}::timestamptz limit ${SWEPT} for update skip locked)
    )
    insert into sign_in_codes (id, code_hash, guesses, expires_at) values (${id}, ${hash}, 0, ${expiresAt.toISOString()}::timestamptz)`);
}

const Outcome = z.enum(["right", "wrong", "spent", "expired"]);

export type GuessOutcome = z.output<typeof Outcome>;

/**
 * Guesses at a code. The right one is used up by that; a wrong one is counted. Nothing is written once `most` were wrong, after its time, or
 * where there is no such code, which is `wrong` as well.
 */
export async function guessSignInCode(
  db: Database,
  { id, hash, most }: { id: string; hash: string; most: number },
  now: Date,
): Promise<GuessOutcome> {
  const isOpen = sql`id = ${id} and guesses < ${most} and expires_at > ${now.toISOString()}::timestamptz`;
  const [row] = await selectRows(
    db,
    // Of guesses at once each waits for the one before and then sees whether the code is still open. One that finds it spent so is `wrong`: it
    // was neither looked at nor counted.
    sql`
      with used as (
        delete from sign_in_codes where ${isOpen} and code_hash = ${hash} returning id
      ), missed as (
        update sign_in_codes set guesses = guesses + 1 where ${isOpen} and code_hash <> ${hash} returning id
      )
      select case
        when exists (select from used) then 'right'
        when exists (select from missed) then 'wrong'
        else coalesce((
          select case when expires_at <= ${now.toISOString()}::timestamptz then 'expired' when guesses >= ${most} then 'spent' end
          from sign_in_codes where id = ${id}), 'wrong')
      end as outcome`,
    z.object({ outcome: Outcome }),
  );
  if (row === undefined) throw new Error("the statement decided nothing");
  return row.outcome;
}
