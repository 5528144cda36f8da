import { and, desc, eq, getTableName, notInArray, sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Session } from "../../db/client.ts";
import { listGenerations } from "../../db/schema.ts";
import { integer, selectRow } from "../../db/sql.ts";

/**
 * Number of generations of a list that stay readable, so that a client can finish paging through the one it
 * started with.
 */
const RETAINED_GENERATIONS = 3;

/** Opens a new generation of a list. Its rows are written next, in the same transaction. */
export async function openGeneration(session: Session, list: string, detail: Record<string, unknown>): Promise<number> {
  const [opened] = await session
    .insert(listGenerations)
    .values({ list, builtAt: sql`now()`, rowCount: 0, detail })
    .returning({ id: listGenerations.id });
  if (opened === undefined) throw new Error(`no generation was opened for ${list}`);
  return opened.id;
}

/**
 * Reserves the id of a generation that is published once its rows are written, which may take several
 * transactions.
 */
export async function reserveGenerationId(session: Session): Promise<number> {
  const sequence = sql`pg_get_serial_sequence(${getTableName(listGenerations)}, ${listGenerations.id.name})`;
  const row = await selectRow(session, sql`select nextval(${sequence}) as id`, z.object({ id: integer }));
  if (row === null) throw new Error("the sequence of generations returned no id");
  return row.id;
}

/** Publishes a generation whose rows are written and deletes generations past the retention. */
export async function publishGeneration(
  session: Session,
  list: string,
  generation: { readonly id: number; readonly rowCount: number; readonly detail: Record<string, unknown> },
): Promise<void> {
  await session
    .insert(listGenerations)
    .overridingSystemValue()
    .values({ ...generation, list, builtAt: sql`now()` });
  await deleteOldGenerations(session, list);
}

/** Completes a generation and deletes generations past the retention. */
export async function closeGeneration(
  session: Session,
  list: string,
  generation: number,
  rowCount: number,
): Promise<void> {
  await session.update(listGenerations).set({ rowCount }).where(eq(listGenerations.id, generation));
  await deleteOldGenerations(session, list);
}

async function deleteOldGenerations(session: Session, list: string): Promise<void> {
  const { id } = listGenerations;
  const ofList = eq(listGenerations.list, list);
  const retained = session
    .select({ id })
    .from(listGenerations)
    .where(ofList)
    .orderBy(desc(id))
    .limit(RETAINED_GENERATIONS);
  await session.delete(listGenerations).where(and(ofList, notInArray(id, retained)));
}

export async function hasGeneration(session: Session, list: string): Promise<boolean> {
  const { id } = listGenerations;
  const found = await session.select({ id }).from(listGenerations).where(eq(listGenerations.list, list)).limit(1);
  return found.length > 0;
}

/** SQL: the input of the newest generation of a list; null without one. */
export const newestInput = (list: string): SQL => sql`(
  select ${listGenerations.detail} ->> 'input' from ${listGenerations}
  where ${listGenerations.list} = ${list} order by ${listGenerations.id} desc limit 1)`;

/**
 * Whether the newest generation of the list was built from the same input. A rebuild would only expire
 * cursors.
 */
export async function isGenerationCurrent(session: Session, list: string, input: string): Promise<boolean> {
  const newest = await selectRow(
    session,
    sql`select ${newestInput(list)} as input`,
    z.object({ input: z.string().nullable() }),
  );
  return newest?.input === input;
}
