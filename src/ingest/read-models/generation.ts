import type { Session } from "../../db/client.ts";

/** How many generations of a list stay readable, so that a client can finish walking the one it began. */
const KEPT_GENERATIONS = 3;

/** Opens a new generation of a list; its rows are written next, in the same transaction. */
export async function openGeneration(session: Session, list: string, detail: Record<string, unknown>): Promise<number> {
  const { rows } = await session.query<{ id: string }>(
    `insert into list_generations (list, built_at, row_count, detail) values ($1, now(), 0, $2) returning id`,
    [list, JSON.stringify(detail)],
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error(`no generation was opened for ${list}`);
  return Number(id);
}

/** Completes a generation and drops those too old to be walked. */
export async function closeGeneration(session: Session, list: string, generation: number, rowCount: number): Promise<void> {
  await session.query(`update list_generations set row_count = $2 where id = $1`, [generation, rowCount]);
  await session.query(
    `delete from list_generations where list = $1 and id not in (
       select id from list_generations where list = $1 order by id desc limit $2)`,
    [list, KEPT_GENERATIONS],
  );
}

export async function hasGeneration(session: Session, list: string): Promise<boolean> {
  const { rows } = await session.query(`select from list_generations where list = $1 limit 1`, [list]);
  return rows.length > 0;
}

/** Whether the list's newest generation was built from this very input; a rebuild would only expire cursors. */
export async function isCurrent(session: Session, list: string, input: string): Promise<boolean> {
  const { rows } = await session.query<{ input: string | null }>(
    `select detail ->> 'input' as input from list_generations where list = $1 order by id desc limit 1`,
    [list],
  );
  return rows[0]?.input === input;
}
