import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { inTransaction, sessionOf, type Session } from "../../db/client.ts";
import { recordset } from "../../db/fragments/recordset.ts";
import { archiveBlocks, archiveParts } from "../../db/schema.ts";
import { columnNames, run, selectRows } from "../../db/sql.ts";
import { ARCHIVE_DATASET_NAMES, type ArchiveDatasetName } from "../../domain/proofs/archive-datasets.ts";
import { toHex } from "../../domain/proofs/hex.ts";
import { BLOCK_ROWS } from "../../domain/proofs/row-leaf.ts";
import type { ArtifactStore } from "../../platform/artifacts/artifact-store.ts";
import type { DayBounds } from "./closed-days.ts";
import { encodeParquet } from "./encode-parquet.ts";
import { PARQUET_WRITER } from "../../lib/parquet/parquet-columns.ts";
import { putOnce, sha256Hex } from "./put-once.ts";
import { blocksOf, PART_ROWS, positionOf, readPart, type RowBlock } from "./read-part.ts";

const StoredPart = z.object({
  dataset: z.enum(ARCHIVE_DATASET_NAMES),
  part: z.number().int(),
  rows: z.number().int(),
  /** The position of the last row; null without rows. */
  last: z.object({ at: z.string(), id: z.string() }).nullable(),
  is_last: z.boolean(),
  /** Null without rows. */
  file: z.object({ key: z.string(), bytes: z.number().int(), sha256: z.string(), writer: z.string() }).nullable(),
});

export type StoredPart = z.output<typeof StoredPart>;

const { day, dataset, part, rows, lastAt, lastId, isLast, objectKey, size, sha256, writer } = archiveParts;

/** The parts of a day that are stored, in the order of datasets and parts. */
export function listParts(session: Session, date: string): Promise<StoredPart[]> {
  return selectRows(
    session,
    sql`select ${dataset}, ${part}, ${rows}, ${isLast},
      case when ${lastId} is not null then json_build_object('id', ${lastId}::text,
        'at', to_char(${lastAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) end as last,
      case when ${objectKey} is not null then json_build_object('key', ${objectKey}, 'bytes', ${size},
        'sha256', ${sha256}, 'writer', ${writer}) end as file
     from ${archiveParts} where ${day} = ${date} order by ${dataset}, ${part}`,
    StoredPart,
  );
}

/** The key of a part in the bucket: a Hive layout, partitioned by day. */
const keyOf = (name: ArchiveDatasetName, date: string, index: number): string =>
  `archive/v1/${name}/day=${date}/part-${String(index).padStart(4, "0")}.parquet`;

/**
 * Stores the next part of a dataset's day: first the file, then its row. The same part again stores the same
 * bytes.
 *
 * @param stored the parts of the dataset's day that are stored
 */
export async function archivePart(
  pool: Pool,
  store: ArtifactStore,
  bounds: DayBounds,
  name: ArchiveDatasetName,
  stored: readonly StoredPart[],
): Promise<void> {
  const previous = stored.at(-1);
  const index = stored.length;
  const session = sessionOf(pool);
  const read = await readPart(session, name, bounds, previous?.last ?? null, PART_ROWS);
  const last = read.at(-1);
  const isFinal = read.length < PART_ROWS;
  const file =
    last === undefined ? null : { key: keyOf(name, bounds.day, index), bytes: await encodeParquet(name, read) };
  if (file !== null) {
    await putOnce(store, file.key, file.bytes, {
      contentType: "application/vnd.apache.parquet",
      contentEncoding: null,
    });
  }
  const position = last === undefined ? null : positionOf(last);
  const blocks = blocksOf(name, read);
  await inTransaction(pool, async (transaction) => {
    const added = await run(
      transaction,
      sql`insert into ${archiveParts} (${columnNames(day, dataset, part, rows, lastAt, lastId, isLast, objectKey, size, sha256, writer)})
       values (${bounds.day}, ${name}, ${index}, ${read.length}, ${position?.at ?? null}::timestamptz,
         ${position?.id ?? null}::bigint, ${isFinal}, ${file?.key ?? null}, ${file?.bytes.length ?? null},
         ${file === null ? null : sha256Hex(file.bytes)}, ${file === null ? null : PARQUET_WRITER})
       on conflict do nothing`,
    );
    if (added > 0) await writeBlocks(transaction, bounds.day, name, (index * PART_ROWS) / BLOCK_ROWS, blocks);
  });
}

async function writeBlocks(
  session: Session,
  date: string,
  name: ArchiveDatasetName,
  firstBlock: number,
  blocks: readonly RowBlock[],
): Promise<void> {
  if (blocks.length === 0) return;
  const b = archiveBlocks;
  const source = recordset("added", blocks, {
    block: ["int", (block) => firstBlock + blocks.indexOf(block)],
    rows: ["smallint", (block) => block.rows],
    first_at: ["timestamptz", ({ first }) => first.at],
    first_id: ["bigint", ({ first }) => first.id],
    last_at: ["timestamptz", ({ last }) => last.at],
    last_id: ["bigint", ({ last }) => last.id],
    root: ["bytea", ({ root }) => `\\x${toHex(root)}`],
  });
  await run(
    session,
    sql`insert into ${b} (${columnNames(b.day, b.dataset, b.block, b.rows, b.firstAt, b.firstId, b.lastAt, b.lastId, b.root)})
     select ${date}::date, ${name}, block, rows, first_at, first_id, last_at, last_id, root from ${source}`,
  );
}
