import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { sessionOf, type Session } from "../../../db/client.ts";
import { archiveDays, icebergTables } from "../../../db/schema.ts";
import { columnNames, excluded, run, selectRow, selectRows, setEach, timestamp } from "../../../db/sql.ts";
import { ARCHIVE_DATASET_NAMES, type ArchiveDatasetName } from "../../../domain/proofs/archive-datasets.ts";
import { DayManifest } from "../../../domain/proofs/day-manifest.ts";
import { withTimeoutSignal } from "../../../lib/timing/with-timeout-signal.ts";
import type { ArtifactStore } from "../../../platform/artifacts/artifact-store.ts";
import { RestCatalog, type CatalogSettings } from "../../../platform/iceberg/rest-catalog.ts";
import { appendDay } from "./append-day.ts";

/** For all requests of a run. The lane's watchdog has 30 s. */
const CATALOG_MS = 20_000;

export interface IcebergPorts {
  readonly settings: CatalogSettings;
  readonly fetch: typeof fetch;
  /** The bucket of the archive. */
  readonly store: ArtifactStore;
}

/** How far a table has come: the last day that was handled, and the last one with files. */
interface Progress {
  readonly dataset: ArchiveDatasetName;
  /** -1 before the first day. */
  readonly sequence: number;
  readonly lastDay: string | null;
}

const Stored = z.object({ dataset: z.string(), sequence: z.int(), last_day: z.string().nullable() });
const SignedDay = z.object({ manifest: z.string(), head: z.string() });
const Sequence = z.object({ sequence: z.int().nullable() });

const { dataset, sequence, lastDay, changedAt } = icebergTables;

/**
 * Adds the next signed day of one dataset to its Iceberg table, in order of days. The archive does not wait
 * for it.
 *
 * @returns whether more is left
 */
export async function publishNextDay(
  pool: Pool,
  { settings, fetch, store }: IcebergPorts,
  now: Date,
): Promise<boolean> {
  const session = sessionOf(pool);
  const [next] = (await listProgress(session)).toSorted((a, b) => a.sequence - b.sequence);
  const day = next === undefined ? null : await findDay(session, next.sequence + 1);
  if (next === undefined || day === null) return false;
  const manifest = DayManifest.parse(JSON.parse(day.manifest));
  const files = manifest.datasets.find(({ name }) => name === next.dataset)?.files ?? [];
  if (files.length === 0) {
    await storeProgress(session, { ...next, sequence: manifest.sequence }, now);
    return true;
  }
  const unit = { dataset: next.dataset, day: manifest.day, head: day.head, files };
  const outcome = await withTimeoutSignal(CATALOG_MS, (signal) => {
    const target = { catalog: new RestCatalog(settings, fetch, signal), store, bucket: settings.bucket };
    return appendDay(target, unit, next.lastDay, now);
  });
  const progress =
    outcome.state === "appended"
      ? { ...next, sequence: manifest.sequence, lastDay: manifest.day }
      : { ...next, sequence: await sequenceOf(session, outcome.lastDay), lastDay: outcome.lastDay };
  await storeProgress(session, progress, now);
  return true;
}

async function listProgress(session: Session): Promise<Progress[]> {
  const stored = await selectRows(
    session,
    sql`select ${dataset}, ${sequence}, ${lastDay}::text as last_day from ${icebergTables}`,
    Stored,
  );
  return ARCHIVE_DATASET_NAMES.map((name) => {
    const own = stored.find((row) => row.dataset === name);
    return { dataset: name, sequence: own?.sequence ?? -1, lastDay: own?.last_day ?? null };
  });
}

const findDay = (session: Session, number: number): Promise<z.output<typeof SignedDay> | null> =>
  selectRow(
    session,
    sql`select ${archiveDays.manifest}, ${archiveDays.head} from ${archiveDays} where ${archiveDays.sequence} = ${number}`,
    SignedDay,
  );

/** The number of a day; -1 for none. */
async function sequenceOf(session: Session, day: string | null): Promise<number> {
  const row = await selectRow(
    session,
    sql`select max(${archiveDays.sequence}) as sequence from ${archiveDays} where ${archiveDays.day} <= ${day}::date`,
    Sequence,
  );
  return row?.sequence ?? -1;
}

async function storeProgress(session: Session, progress: Progress, now: Date): Promise<void> {
  await run(
    session,
    sql`insert into ${icebergTables} (${columnNames(dataset, sequence, lastDay, changedAt)})
     values (${progress.dataset}, ${progress.sequence}, ${progress.lastDay}::date, ${timestamp(now)})
     on conflict (${columnNames(dataset)}) do update set ${setEach([sequence, lastDay, changedAt], excluded)}`,
  );
}
