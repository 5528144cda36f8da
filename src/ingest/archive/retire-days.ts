import type { Pool } from "@neondatabase/serverless";
import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { inTransaction, sessionOf, type Session } from "../../db/client.ts";
import { archiveDays, archiveRetirements, marketResolutions } from "../../db/schema.ts";
import { columnNames, run, selectRow, timestamp } from "../../db/sql.ts";
import type { ArchiveDatasetName } from "../../domain/proofs/archive-datasets.ts";
import { DayManifest, headOf } from "../../domain/proofs/day-manifest.ts";
import { isSignedBy } from "../../domain/proofs/signing.ts";
import type { ArtifactStore } from "../../platform/artifacts/artifact-store.ts";
import { DAY_MS, utcDate } from "../../scoring/utc-calendar.ts";
import { boundsOf, type DayBounds } from "./closed-days.ts";
import { positionOf, readPart, type RowPosition } from "./read-part.ts";
import { findStoredProblem, type ReadRows } from "./verify-stored.ts";

/**
 * The datasets whose rows may leave Postgres: only the archive reads them. docs/archive.md says why no other
 * dataset's may.
 */
const RETIRABLE = {
  resolutions: ({ from, before }) => sql`delete from ${marketResolutions}
    where ${marketResolutions.recordedAt} >= ${timestamp(from)} and ${marketResolutions.recordedAt} < ${timestamp(before)}`,
} as const satisfies Partial<Record<ArchiveDatasetName, (day: DayBounds) => SQL>>;

const DATASETS = Object.keys(RETIRABLE) as (keyof typeof RETIRABLE)[];

const SignedDay = z.object({ manifest: z.string(), head: z.string(), signature: z.string(), public_key: z.string() });

/**
 * Deletes the rows of the oldest archived day that is older than the retention, after its stored files were
 * read again and equal the signed manifest and the rows.
 *
 * @returns whether more may be left
 * @throws Error when the stored day differs; nothing is then deleted
 */
export async function retireNextDay(pool: Pool, store: ArtifactStore, days: number, now: Date): Promise<boolean> {
  // The day itself must have ended this long ago.
  const cutoff = utcDate(now.getTime() - (days + 1) * DAY_MS);
  for (const name of DATASETS) {
    const day = await findNextDay(sessionOf(pool), name, cutoff);
    if (day === null) continue;
    await retire(pool, store, name, day, now);
    return true;
  }
  return false;
}

const findNextDay = (session: Session, name: string, cutoff: string): Promise<z.output<typeof SignedDay> | null> =>
  selectRow(
    session,
    sql`select ${archiveDays.manifest}, ${archiveDays.head}, ${archiveDays.signature}, ${archiveDays.publicKey} from ${archiveDays}
      where ${archiveDays.day} <= ${cutoff}::date and not exists (select from ${archiveRetirements}
        where ${archiveRetirements.day} = ${archiveDays.day} and ${archiveRetirements.dataset} = ${name})
      order by ${archiveDays.day} limit 1`,
    SignedDay,
  );

async function retire(
  pool: Pool,
  store: ArtifactStore,
  name: (typeof DATASETS)[number],
  { manifest: text, head, signature, public_key }: z.output<typeof SignedDay>,
  now: Date,
): Promise<void> {
  const manifest = DayManifest.parse(JSON.parse(text));
  if (headOf(text) !== head || !(await isSignedBy(public_key, text, signature)))
    throw new Error(`the manifest of ${manifest.day} has a wrong signature`);
  const bounds = boundsOf(manifest.day);
  const dataset = manifest.datasets.find((own) => own.name === name);
  if (dataset === undefined) throw new Error(`the manifest of ${manifest.day} lacks ${name}`);
  const problem = await findStoredProblem(dataset, (key) => readWhole(store, key), {
    readRows: rowsOf(sessionOf(pool), name, bounds),
    decode: null,
  });
  if (problem !== null) throw new Error(`rows of ${manifest.day} stay: ${problem}`);
  const r = archiveRetirements;
  await inTransaction(pool, async (transaction) => {
    const added = await run(
      transaction,
      sql`insert into ${r} (${columnNames(r.day, r.dataset, r.rows, r.retiredAt)})
       values (${manifest.day}, ${name}, ${dataset.rows}, ${timestamp(now)}) on conflict do nothing`,
    );
    if (added === 0) return;
    const deleted = await run(transaction, RETIRABLE[name](bounds));
    if (deleted !== dataset.rows) throw new Error(`${deleted} of ${dataset.rows} rows of ${manifest.day} would leave`);
  });
}

async function readWhole(store: ArtifactStore, key: string): Promise<Uint8Array | null> {
  const stored = await store.read(key);
  return stored === null ? null : new Uint8Array(await new Response(stored).arrayBuffer());
}

/** Reads a dataset's day from the database, each call from where the one before ended. */
export function rowsOf(session: Session, name: ArchiveDatasetName, bounds: DayBounds): ReadRows {
  let position: RowPosition | null = null;
  return async (count) => {
    const rows = await readPart(session, name, bounds, position, count);
    const last = rows.at(-1);
    if (last !== undefined) position = positionOf(last);
    return rows;
  };
}
