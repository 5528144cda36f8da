import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { ACCOUNT_STATES, PLANS } from "../domain/accounts.ts";
import { count, selectRows } from "./rows.ts";

const Row = z.object({ plan: z.enum(PLANS), state: z.enum(ACCOUNT_STATES) });

/** What an account has subscribed to, and whether it may be used. */
export type AccountStanding = z.output<typeof Row>;

/** @throws when there is no such account: nobody can ask with its credentials */
export async function getAccountStanding(db: Database, accountId: number): Promise<AccountStanding> {
  const [row] = await selectRows(db, sql`select plan, state from accounts where id = ${accountId}`, Row);
  if (row === undefined) throw new Error(`no account ${accountId}`);
  return row;
}

/** The account of a proven e-mail address: the one an operator made for it, or a new one on the free plan. */
export async function ensureAccount(db: Database, email: string): Promise<number> {
  const [account] = await selectRows(
    db,
    sql`
      insert into accounts (email, plan) values (${email}, 'free')
      on conflict (email) do update set email = excluded.email
      returning id`,
    z.object({ id: count }),
  );
  if (account === undefined) throw new Error("no account was stored");
  return account.id;
}

/** The account an e-mail address belongs to. */
export async function findAccountByEmail(db: Database, email: string): Promise<{ id: number } | null> {
  const [account] = await selectRows(db, sql`select id from accounts where email = ${email}`, z.object({ id: count }));
  return account ?? null;
}

/**
 * Holds an account until the transaction ends. Statements after it in the same transaction see what was committed while it waited; in one
 * statement with them it would not help, since a statement sees what there was when it began.
 */
export const holdAccount = (db: Database, accountId: number) =>
  db.execute(sql`select from accounts where id = ${accountId}::bigint for no key update`);
