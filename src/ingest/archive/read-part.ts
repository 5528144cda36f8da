import { sql, type SQL } from "drizzle-orm";
import type { Session } from "../../db/client.ts";
import { ArchiveRowCells, archiveOrder, selectArchiveRows, toArchiveRow } from "../../db/fragments/archive-rows.ts";
import { selectRows, timestamp } from "../../db/sql.ts";
import type { ArchiveDatasetName, ArchiveRow } from "../../domain/proofs/archive-datasets.ts";
import { hashRow, BLOCK_ROWS } from "../../domain/proofs/row-leaf.ts";
import { rootOf, type Hash } from "../../domain/proofs/merkle-tree.ts";
import { chunk } from "../../lib/chunk.ts";
import type { DayBounds } from "./closed-days.ts";

/** Rows of one file, a multiple of the block size. A part is in memory as a whole: about 30 MB. */
export const PART_ROWS = 32_768;
/** Rows of one statement. */
const PAGE_ROWS = 8_192;

/** The position of a row in the order of leaves: `recorded_at` with microseconds, and id. */
export interface RowPosition {
  readonly at: string;
  readonly id: string;
}

export const positionOf = ([at, id]: ArchiveRow): RowPosition => ({ at: at ?? "", id: id ?? "" });

/**
 * Reads rows of a dataset's day in the order of leaves.
 *
 * @param after the position behind which to begin; null for the start of the day
 * @param limit of rows
 */
export async function readPart(
  session: Session,
  name: ArchiveDatasetName,
  day: DayBounds,
  after: RowPosition | null,
  limit: number,
): Promise<ArchiveRow[]> {
  const rows: ArchiveRow[] = [];
  for (let position = after; rows.length < limit;) {
    const wanted = Math.min(PAGE_ROWS, limit - rows.length);
    const page = await selectRows(
      session,
      selectArchiveRows(name, isWithin(name, day, position), wanted),
      ArchiveRowCells,
    );
    rows.push(...page.map(toArchiveRow));
    const last = rows.at(-1);
    if (page.length < wanted || last === undefined) break;
    position = positionOf(last);
  }
  return rows;
}

function isWithin(name: ArchiveDatasetName, { from, before }: DayBounds, after: RowPosition | null): SQL {
  const { recordedAt, id } = archiveOrder(name);
  const day = sql`${recordedAt} >= ${timestamp(from)} and ${recordedAt} < ${timestamp(before)}`;
  return after === null
    ? day
    : sql`${day} and (${recordedAt}, ${id}) > (${after.at}::timestamptz, ${after.id}::bigint)`;
}

/** A subtree of the day's tree over consecutive rows. */
export interface RowBlock {
  readonly rows: number;
  readonly first: RowPosition;
  readonly last: RowPosition;
  readonly root: Hash;
}

/** The blocks of rows that begin at a block's first leaf. */
export function blocksOf(name: ArchiveDatasetName, rows: readonly ArchiveRow[]): RowBlock[] {
  return chunk(rows, BLOCK_ROWS).flatMap((block) => {
    const [first, last] = [block[0], block.at(-1)];
    if (first === undefined || last === undefined) return [];
    const root = rootOf(block.map((row) => hashRow(name, row)));
    return [{ rows: block.length, first: positionOf(first), last: positionOf(last), root }];
  });
}
