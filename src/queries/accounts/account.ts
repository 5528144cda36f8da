import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { accounts } from "../../db/schema.ts";
import { columnName, columnNames, excluded, integer, selectRow, setEach } from "../../db/sql.ts";
import { ACCOUNT_STATES, PLANS } from "../../domain/accounts/accounts.ts";

const Row = z.object({ plan: z.enum(PLANS), state: z.enum(ACCOUNT_STATES) });

/** The plan of an account, and the state that decides whether it may be used. */
export type AccountStatus = z.output<typeof Row>;

/**
 * @throws when the account does not exist: the credentials of a request always belong to an existing account
 */
export async function getAccountStatus(db: Database, accountId: number): Promise<AccountStatus> {
  const { plan, state } = accounts;
  const [row] = await db.select({ plan, state }).from(accounts).where(eq(accounts.id, accountId));
  if (row === undefined) throw new Error(`account ${accountId} does not exist`);
  return Row.parse(row);
}

/** The e-mail address and the state of an account. @throws when the account does not exist */
export async function getAccountOwner(
  db: Database,
  accountId: number,
): Promise<{ email: string; state: AccountStatus["state"] }> {
  const { email, state } = accounts;
  const [row] = await db.select({ email, state }).from(accounts).where(eq(accounts.id, accountId));
  if (row === undefined) throw new Error(`account ${accountId} does not exist`);
  return { email: row.email, state: Row.shape.state.parse(row.state) };
}

/**
 * Returns the account of a verified e-mail address: an existing one, for example created by an operator, or a
 * new one on the free plan.
 */
export async function ensureAccount(db: Database, email: string): Promise<number> {
  const account = await selectRow(
    db,
    sql`
      insert into ${accounts} (${columnNames(accounts.email, accounts.plan)}) values (${email}, 'free')
      on conflict (${columnName(accounts.email)}) do update set ${setEach([accounts.email], excluded)}
      returning ${accounts.id}`,
    z.object({ id: integer }),
  );
  if (account === null) throw new Error("the insert returned no account");
  return account.id;
}

/** The account with this e-mail address, or null. */
export async function findAccountByEmail(db: Database, email: string): Promise<{ id: number } | null> {
  const [account] = await db.select({ id: accounts.id }).from(accounts).where(eq(accounts.email, email));
  return account ?? null;
}

/**
 * Locks an account row until the transaction ends. Later statements of the same transaction see what was
 * committed while it waited. Inside the same statement the lock would not help, since a statement uses the
 * snapshot of its start.
 */
export const lockAccount = (db: Database, accountId: number) =>
  db.execute(sql`select from ${accounts} where ${accounts.id} = ${accountId}::bigint for no key update`);
