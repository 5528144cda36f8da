import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { ArchiveRowCells, archiveOrder, archiveTable, selectArchiveRows } from "../../db/fragments/archive-rows.ts";
import { archiveBlocks, archiveDays } from "../../db/schema.ts";
import { alias, selectRow } from "../../db/sql.ts";
import type { ArchiveDatasetName } from "../../domain/proofs/archive-datasets.ts";
import { headJson, HeadRow } from "./head-row.ts";

const b = alias(archiveBlocks, "b");
const d = alias(archiveDays, "d");

const ProofRow = z.object({
  day: z.string(),
  /** The block of the row; null while the day's file is not written. */
  block: z.number().int().nullable(),
  /** The rows of that block, in the order of leaves. */
  rows: z.array(ArchiveRowCells.shape.cells).nullable(),
  /** The roots of all blocks of the day, in hex. */
  roots: z.array(z.string()).nullable(),
  /** Null while the day is not signed. */
  head: HeadRow.nullable(),
});

export type ProofRow = z.output<typeof ProofRow>;

/**
 * What proves a row: its block of at most 256 rows, the roots of the day's other blocks, and the day's signed
 * head.
 */
export function findRowProof(db: Database, name: ArchiveDatasetName, rowId: number): Promise<ProofRow | null> {
  const { recordedAt, id } = archiveOrder(name);
  const { from, where } = archiveTable(name);
  const inBlock = sql`${recordedAt} >= (select first_at from own) and ${recordedAt} <= (select last_at from own)
    and (${recordedAt}, ${id}) >= (select first_at, first_id from own)
    and (${recordedAt}, ${id}) <= (select last_at, last_id from own)`;
  return selectRow(
    db,
    sql`with target as (
       select ${recordedAt} as at, ${id} as id, (${recordedAt} at time zone 'UTC')::date as day
       from ${from} where ${id} = ${rowId} and ${where}
     ), own as (
       select ${b.block}, ${b.firstAt}, ${b.firstId}, ${b.lastAt}, ${b.lastId} from ${b} join target on ${b.day} = target.day
       where ${b.dataset} = ${name} and (${b.firstAt}, ${b.firstId}) <= (target.at, target.id)
         and (${b.lastAt}, ${b.lastId}) >= (target.at, target.id)
     )
     select target.day::text as day, (select block from own) as block,
       (select json_agg(leaf.cells) from (${selectArchiveRows(name, inBlock, null)}) leaf) as rows,
       (select json_agg(encode(${b.root}, 'hex') order by ${b.block}) from ${b}
         where ${b.day} = target.day and ${b.dataset} = ${name}) as roots,
       (select ${headJson(d)}
         from ${d} where ${d.day} = target.day) as head
     from target`,
    ProofRow,
  );
}
