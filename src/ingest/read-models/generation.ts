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

/** The number of a generation that is opened once its rows are written, which may take several transactions. */
export async function allotGeneration(session: Session): Promise<number> {
  const { rows } = await session.query<{ id: string }>(`select nextval(pg_get_serial_sequence('list_generations', 'id')) as id`);
  return Number(rows[0]?.id);
}

/** Opens and completes a generation whose rows are written, and drops those too old to be walked. */
export async function publishGeneration(
  session: Session,
  list: string,
  generation: { readonly id: number; readonly rowCount: number; readonly detail: Record<string, unknown> },
): Promise<void> {
  await session.query(
    `insert into list_generations (id, list, built_at, row_count, detail) overriding system value values ($1, $2, now(), $3, $4)`,
    [generation.id, list, generation.rowCount, JSON.stringify(generation.detail)],
  );
  await dropOldGenerations(session, list);
}

/** Completes a generation and drops those too old to be walked. */
export async function closeGeneration(session: Session, list: string, generation: number, rowCount: number): Promise<void> {
  await session.query(`update list_generations set row_count = $2 where id = $1`, [generation, rowCount]);
  await dropOldGenerations(session, list);
}

async function dropOldGenerations(session: Session, list: string): Promise<void> {
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
