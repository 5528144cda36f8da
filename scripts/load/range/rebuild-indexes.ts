import { inSavepoint } from "../load-state.ts";
import type { Client } from "../../services/postgres/session-over-tcp.ts";

/** How long the lock on the tables may take. Until it is granted, reads that come later wait. */
const LOCK_TIMEOUT = "1s";

const INDEXES = `
  select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where i.indrelid in ('ledger_entries'::regclass, 'positions'::regclass)
    and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
  order by c.relname`;

/**
 * Drops the indexes of the ledger and of positions if both are empty, except those of primary keys: to build an index
 * costs a fifth of inserting its entries one by one. Other sessions see the tables again, with the indexes of
 * `createIndexes`, when the transaction ends, however it ends.
 *
 * @returns the statements that create the indexes again; null if they are in place: the tables have rows or are in use, or belong
 *   to another user
 */
export async function dropIndexes(client: Client): Promise<readonly string[] | null> {
  const { rows: filled } = await client.query(`select from ledger_entries union all select from positions limit 1`);
  if (filled.length > 0) return null;
  return inSavepoint(client, async () => {
    await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
    const { rows } = await client.query<{ name: string; definition: string }>(INDEXES);
    for (const { name } of rows) await client.query(`drop index "${name}"`);
    await client.query(`set local lock_timeout to default`);
    return rows.map(({ definition }) => definition);
  });
}

export async function createIndexes(client: Client, definitions: readonly string[]): Promise<void> {
  await client.query(`set local maintenance_work_mem = '256MB'`);
  for (const definition of definitions) await client.query(definition);
}
