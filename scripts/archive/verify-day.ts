import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Session } from "../../src/db/client.ts";
import { decodeParquet } from "./decode-parquet.ts";
import { archiveDays, archiveRetirements } from "../../src/db/schema.ts";
import { isoText, selectRow, selectRows } from "../../src/db/sql.ts";
import { DayManifest, headOf, type ArchiveFile, type DatasetDay } from "../../src/domain/proofs/day-manifest.ts";
import { toHex } from "../../src/domain/proofs/hex.ts";
import { MerkleTree } from "../../src/domain/proofs/merkle-tree.ts";
import { hashRow } from "../../src/domain/proofs/row-leaf.ts";
import { isSignedBy } from "../../src/domain/proofs/signing.ts";
import { boundsOf, type DayBounds } from "../../src/ingest/archive/closed-days.ts";
import { encodeParquet } from "../../src/ingest/archive/encode-parquet.ts";
import { PARQUET_WRITER } from "../../src/lib/parquet/parquet-columns.ts";
import { sha256Hex } from "../../src/ingest/archive/put-once.ts";
import { positionOf, readPart, type RowPosition } from "../../src/ingest/archive/read-part.ts";
import { findStoredProblem } from "../../src/ingest/archive/verify-stored.ts";

const StoredDay = z.object({
  manifest: z.string(),
  head: z.string(),
  signature: z.string(),
  public_key: z.string(),
});

export type StoredDay = z.output<typeof StoredDay>;

/** The archived days in order. @param day null for all */
export function listArchivedDays(session: Session, day: string | null): Promise<StoredDay[]> {
  const { manifest, head, signature, publicKey, sequence } = archiveDays;
  return selectRows(
    session,
    sql`select ${manifest}, ${head}, ${signature}, ${publicKey} from ${archiveDays}
      where ${day === null ? sql`true` : sql`${archiveDays.day} = ${day}`} order by ${sequence}`,
    StoredDay,
  );
}

/** One compared thing: a file, or a dataset, or the manifest itself. */
export interface Finding {
  readonly subject: string;
  /** Null when it cannot be compared here: its rows have left Postgres, and no files were given. */
  readonly isEqual: boolean | null;
  /** What was compared, or how it differs. */
  readonly detail: string;
}

/** Downloads a stored file; null when it is not there. */
export type Download = (key: string) => Promise<Uint8Array | null>;

/** Rebuilds a day from the database and compares it with its signed manifest. */
export async function* verifyDay(
  session: Session,
  stored: StoredDay,
  download: Download | null,
): AsyncGenerator<Finding> {
  const manifest = DayManifest.parse(JSON.parse(stored.manifest));
  const isSigned =
    headOf(stored.manifest) === stored.head && (await isSignedBy(stored.public_key, stored.manifest, stored.signature));
  yield { subject: `manifest ${manifest.day}`, isEqual: isSigned, detail: isSigned ? "signed" : "wrong signature" };
  const bounds = boundsOf(manifest.day);
  for (const dataset of manifest.datasets) {
    const retiredAt = await findRetirement(session, manifest.day, dataset.name);
    if (retiredAt === null) yield* verifyDataset(session, bounds, dataset, download);
    else yield await verifyRetired(session, bounds, dataset, retiredAt, download);
  }
}

/** When the rows left Postgres; null while they are there. */
async function findRetirement(session: Session, day: string, name: string): Promise<string | null> {
  const row = await selectRow(
    session,
    sql`select ${isoText(archiveRetirements.retiredAt)} as at from ${archiveRetirements}
      where ${archiveRetirements.day} = ${day} and ${archiveRetirements.dataset} = ${name}`,
    z.object({ at: z.string() }),
  );
  return row?.at ?? null;
}

/** Compares the stored files alone: the database must have no row of the day. */
async function verifyRetired(
  session: Session,
  bounds: DayBounds,
  dataset: DatasetDay,
  retiredAt: string,
  download: Download | null,
): Promise<Finding> {
  const subject = `${dataset.name} ${bounds.day}`;
  const beyond = await readPart(session, dataset.name, bounds, null, 1);
  if (beyond.length > 0)
    return { subject, isEqual: false, detail: `the rows left Postgres at ${retiredAt}, but it has rows of this day` };
  if (download === null && dataset.files.length > 0)
    return {
      subject,
      isEqual: null,
      detail: `${dataset.rows} rows left Postgres at ${retiredAt}: compare files with --url`,
    };
  const problem = await findStoredProblem(dataset, download ?? (async () => null), {
    readRows: null,
    decode: decodeParquet,
  });
  const detail = problem ?? `${dataset.rows} rows, from the files alone: they left Postgres at ${retiredAt}`;
  return { subject, isEqual: problem === null, detail };
}

async function* verifyDataset(
  session: Session,
  bounds: DayBounds,
  { name, rows, merkle_root, files }: DatasetDay,
  download: Download | null,
): AsyncGenerator<Finding> {
  const tree = new MerkleTree();
  let position: RowPosition | null = null;
  for (const file of files) {
    const part = await readPart(session, name, bounds, position, file.rows);
    for (const row of part) tree.append(hashRow(name, row));
    const last = part.at(-1);
    if (last !== undefined) position = positionOf(last);
    const problem =
      part.length < file.rows
        ? `${part.length} of ${file.rows} rows are in the database`
        : ((await compareBytes(file, await encodeParquet(name, part))) ?? (await compareStored(file, download)));
    yield { subject: file.key, isEqual: problem === null, detail: problem ?? `${file.rows} rows, ${file.bytes} bytes` };
  }
  const beyond = await readPart(session, name, bounds, position, 1);
  const problem =
    beyond.length > 0
      ? "the database has rows of this day that the archive lacks"
      : toHex(tree.root()) === merkle_root
        ? null
        : "the Merkle root of the database's rows is another one";
  yield { subject: `${name} ${bounds.day}`, isEqual: problem === null, detail: problem ?? `${rows} rows, same root` };
}

/**
 * @returns how the rebuilt file differs; null when it does not, or when another version wrote the stored one
 */
async function compareBytes(file: ArchiveFile, bytes: Uint8Array): Promise<string | null> {
  if (file.writer !== PARQUET_WRITER) return null;
  return sha256Hex(bytes) === file.sha256 ? null : "the rebuilt file has another SHA-256";
}

async function compareStored(file: ArchiveFile, download: Download | null): Promise<string | null> {
  if (download === null) return null;
  const bytes = await download(file.key);
  if (bytes === null) return "the bucket does not have it";
  return sha256Hex(bytes) === file.sha256 ? null : "the stored file has another SHA-256";
}
