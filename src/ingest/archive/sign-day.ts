import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { sessionOf, type Session } from "../../db/client.ts";
import { archiveBlocks, archiveDays } from "../../db/schema.ts";
import { columnNames, integer, run, selectRow, selectRows, timestamp } from "../../db/sql.ts";
import { ARCHIVE_DATASET_NAMES, type ArchiveDatasetName } from "../../domain/proofs/archive-datasets.ts";
import { DayManifest, headOf, manifestText, type DatasetDay } from "../../domain/proofs/day-manifest.ts";
import { fromHex, toHex } from "../../domain/proofs/hex.ts";
import { rootOf } from "../../domain/proofs/merkle-tree.ts";
import { openSigner } from "../../domain/proofs/signing.ts";
import type { ArtifactStore } from "../../platform/artifacts/artifact-store.ts";
import type { StoredPart } from "./archive-parts.ts";
import type { DayBounds } from "./closed-days.ts";
import { readOutboxRange } from "./outbox-range.ts";
import { putOnce } from "./put-once.ts";

/** Where the archive is stored, and the Ed25519 key that signs it (PKCS #8, DER in base64url). */
export interface ArchiveTarget {
  readonly store: ArtifactStore;
  readonly signingKey: string;
}

const Head = z.object({ sequence: integer, head: z.string() });
const Last = z.object({ manifest: z.string() });
const BlockRoot = z.object({ dataset: z.enum(ARCHIVE_DATASET_NAMES), root: z.string() });

/**
 * Signs a day whose parts are all stored: first the signed manifest as a file, then its row. The same day
 * again stores the same bytes.
 */
export async function signDay(
  pool: Pool,
  { store, signingKey }: ArchiveTarget,
  bounds: DayBounds,
  parts: readonly StoredPart[],
  now: Date,
): Promise<void> {
  const session = sessionOf(pool);
  const { day, sequence, manifest, head, signature, publicKey, signedAt } = archiveDays;
  const heads = await selectRows(
    session,
    sql`select ${sequence}, ${head} from ${archiveDays} order by ${sequence}`,
    Head,
  );
  const last = await selectRow(
    session,
    sql`select ${manifest} from ${archiveDays} order by ${sequence} desc limit 1`,
    Last,
  );
  const previous = last === null ? null : DayManifest.parse(JSON.parse(last.manifest));
  const text = manifestText({
    type: "archive_day",
    version: 1,
    day: bounds.day,
    sequence: heads.length,
    previous_head: heads.at(-1)?.head ?? null,
    log_root: toHex(rootOf(heads.map((row) => fromHex(row.head)))),
    datasets: await describeDatasets(session, bounds.day, parts, previous),
    outbox: await readOutboxRange(session, bounds, previous?.outbox ?? null),
  });
  const signer = await openSigner(signingKey);
  const signed = { manifest: text, signature: await signer.sign(text), public_key: signer.publicKey };
  const file = new TextEncoder().encode(JSON.stringify({ head: headOf(text), ...signed }));
  await putOnce(store, `archive/v1/manifests/${bounds.day}.json`, file, {
    ...{ contentType: "application/json", contentEncoding: null },
  });
  await run(
    session,
    sql`insert into ${archiveDays} (${columnNames(day, sequence, manifest, head, signature, publicKey, signedAt)})
     values (${bounds.day}, ${heads.length}, ${text}, ${headOf(text)}, ${signed.signature}, ${signed.public_key},
       ${timestamp(now)})
     on conflict (${columnNames(day)}) do nothing`,
  );
}

async function describeDatasets(
  session: Session,
  date: string,
  parts: readonly StoredPart[],
  previous: DayManifest | null,
): Promise<DatasetDay[]> {
  const blocks = await selectRows(
    session,
    sql`select ${archiveBlocks.dataset}, encode(${archiveBlocks.root}, 'hex') as root from ${archiveBlocks}
      where ${archiveBlocks.day} = ${date} order by ${archiveBlocks.dataset}, ${archiveBlocks.block}`,
    BlockRoot,
  );
  return ARCHIVE_DATASET_NAMES.map((name: ArchiveDatasetName) => {
    const own = parts.filter((part) => part.dataset === name);
    const rows = own.reduce((sum, part) => sum + part.rows, 0);
    const first_row = (previous?.datasets.find((dataset) => dataset.name === name)?.last_row ?? 0) + 1;
    const roots = blocks.filter((block) => block.dataset === name).map(({ root }) => fromHex(root));
    return {
      name,
      rows,
      first_row,
      last_row: first_row + rows - 1,
      // Blocks are subtrees of the day's tree, so the tree over their roots has the same root.
      merkle_root: toHex(rootOf(roots)),
      files: own.flatMap(({ file, rows: fileRows }) => (file === null ? [] : [{ ...file, rows: fileRows }])),
    };
  });
}
