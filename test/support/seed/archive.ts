import { sql } from "drizzle-orm";
import type { Database } from "../../../src/db/client.ts";
import {
  archiveOrder,
  ArchiveRowCells,
  selectArchiveRows,
  toArchiveRow,
} from "../../../src/db/fragments/archive-rows.ts";
import { archiveBlocks, archiveDays } from "../../../src/db/schema.ts";
import { run, selectRows } from "../../../src/db/sql.ts";
import { ARCHIVE_DATASET_NAMES, type ArchiveDatasetName } from "../../../src/domain/proofs/archive-datasets.ts";
import { headOf, manifestText } from "../../../src/domain/proofs/day-manifest.ts";
import { fromHex, toHex } from "../../../src/domain/proofs/hex.ts";
import { rootOf } from "../../../src/domain/proofs/merkle-tree.ts";
import { openSigner } from "../../../src/domain/proofs/signing.ts";
import { blocksOf } from "../../../src/ingest/archive/read-part.ts";
import { DAY_MS, utcDate } from "../../../src/scoring/utc-calendar.ts";
import { TEST_SIGNING_KEY } from "../archive/signing-key.ts";

/**
 * Archives the days up to and with today, as the job would after their end, but without files. All rows must
 * have been recorded since the first day.
 *
 * @param days how many; the last one is today
 */
export async function anArchive(db: Database, days: number): Promise<void> {
  const signer = await openSigner(TEST_SIGNING_KEY);
  const heads: string[] = [];
  for (let ago = days - 1; ago >= 0; ago--) {
    const day = utcDate(Date.now() - ago * DAY_MS);
    const datasets = [];
    for (const name of ARCHIVE_DATASET_NAMES) datasets.push(await archiveDataset(db, name, day));
    const position = { commit_xid: "0", id: "0" };
    const manifest = manifestText({
      ...{ type: "archive_day", version: 1, day, sequence: heads.length, previous_head: heads.at(-1) ?? null },
      log_root: toHex(rootOf(heads.map(fromHex))),
      datasets,
      outbox: {
        ...{ epoch: 1, after: position, last: position, events: 0, first_sequence: 1, last_sequence: 0, gap: null },
      },
    });
    await db.insert(archiveDays).values({
      ...{ day, sequence: heads.length, manifest, head: headOf(manifest), signature: await signer.sign(manifest) },
      ...{ publicKey: signer.publicKey, signedAt: new Date() },
    });
    heads.push(headOf(manifest));
  }
}

async function archiveDataset(db: Database, name: ArchiveDatasetName, day: string) {
  const { recordedAt } = archiveOrder(name);
  const onDay = sql`${recordedAt} >= ${`${day}T00:00:00Z`}::timestamptz
    and ${recordedAt} < ${`${day}T00:00:00Z`}::timestamptz + interval '1 day'`;
  const rows = (await selectRows(db, selectArchiveRows(name, onDay, null), ArchiveRowCells)).map(toArchiveRow);
  const blocks = blocksOf(name, rows);
  const b = archiveBlocks;
  for (const [block, { first, last, root, rows: count }] of blocks.entries())
    await run(
      db,
      sql`insert into ${b} values (${day}::date, ${name}, ${block}, ${count}, ${first.at}::timestamptz, ${first.id}::bigint,
        ${last.at}::timestamptz, ${last.id}::bigint, decode(${toHex(root)}, 'hex'))`,
    );
  const merkle_root = toHex(rootOf(blocks.map(({ root }) => root)));
  return { name, rows: rows.length, first_row: 1, last_row: rows.length, merkle_root, files: [] };
}
