import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import pg from "pg";
import { parseConfig } from "../../../src/config.ts";
import { createFileLink } from "../../../src/platform/artifacts/file-link.ts";
import { freePort } from "../../services/free-port.ts";
import type { BenchServices } from "../bench-services.ts";
import type { Bundle } from "../bundles.ts";
import { productOptions } from "../ingest/ingest-worker.ts";
import { median } from "../reads/measure-load.ts";
import { compareQueries } from "./compare-queries.ts";
import { startConsumer } from "./consumer.ts";
import { DirectoryStore } from "./directory-store.ts";
import type { ExtractResult } from "./extract-process.ts";
import { compareReads } from "./reads-beside-jobs.ts";
import { DATASET_ROWS, generateLargeTrades, resultOf, submitJobs, type FileKind } from "./file-database.ts";
import { HOUR_MS } from "../../../src/scoring/utc-calendar.ts";

const SIZES: readonly (readonly [FileKind, string])[] = [
  ["dataset", "ndjson"],
  ["dataset", "parquet"],
  ["export", "json"],
  ["export", "ndjson"],
  ["export", "csv"],
  ["export", "parquet"],
];

export interface FileBench {
  readonly services: BenchServices;
  readonly client: pg.Client;
  /** Where objects are stored. */
  readonly objects: string;
  readonly isSmall: boolean;
}

/**
 * Files of large trades. Consumers run in Node, with the sessions and limits of the product; the object store is a
 * directory. Aims: half of the rows/s of psql's COPY through gzip -6, less than 64 MiB, and reads that lose at most
 * a tenth while 20 jobs run.
 */
export async function benchFiles(
  product: Bundle,
  services: BenchServices,
  variables: Record<string, string>,
  { isSmall, trades }: { readonly isSmall: boolean; readonly trades: number },
): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "bench-files-"));
  const objects = join(dir, "objects");
  mkdirSync(objects);
  const client = new pg.Client({ connectionString: services.databaseUrl });
  await client.connect();
  const parts: FileBench = { services, client, objects, isSmall };
  try {
    await generateLargeTrades(client, trades);
    const key = await compareExtraction(parts, trades);
    await printSizes(parts);
    await measureFirstByte(parts, product, variables, key);
    await compareReads(parts, product, variables);
  } finally {
    await client.end();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Extracts and copies the same rows in turn. @returns the key of the last file */
async function compareExtraction(parts: FileBench, trades: number): Promise<string> {
  const { client, services, isSmall } = parts;
  const ratios: number[] = [];
  const rates: number[] = [];
  let peakMib = 0;
  let key = "";
  for (let round = 0; round < (isSmall ? 1 : 3); round += 1) {
    const [jobId = 0] = await submitJobs(client, 1, "dataset", "ndjson");
    const { seconds, peakMib: peak } = await extract(parts, [jobId]);
    const { key: stored, rows } = await resultOf(client, jobId);
    if (rows !== trades) throw new Error(`the dataset has ${rows} of ${trades} rows`);
    const copyAt = performance.now();
    const copy = `psql "$DATABASE" -qc "copy (${DATASET_ROWS.replaceAll("\n", " ")}) to stdout" | gzip -6 > /dev/null`;
    execFileSync("bash", ["-o", "pipefail", "-c", copy], { env: { ...process.env, DATABASE: services.databaseUrl } });
    const copySeconds = (performance.now() - copyAt) / 1000;
    rates.push(trades / seconds);
    ratios.push(copySeconds / seconds);
    peakMib = Math.max(peakMib, peak);
    key = stored;
  }
  console.log(
    `files, dataset of ${trades} rows: ${Math.round(median(rates))} rows/s, ${median(ratios).toFixed(2)} of psql COPY | gzip -6 ` +
      `(${ratios.map((ratio) => ratio.toFixed(2)).join(" ")}; aim: 0.5), at most ${peakMib.toFixed(0)} MiB (aim: 64)`,
  );
  return key;
}

async function printSizes(parts: FileBench): Promise<void> {
  const keys = new Map<string, string>();
  for (const [file, format] of SIZES) {
    const [jobId = 0] = await submitJobs(parts.client, 1, file, format);
    await extract(parts, [jobId]);
    const { key, rows, content, stored } = await resultOf(parts.client, jobId);
    if (file === "dataset") keys.set(format, key);
    const perRow = (bytes: number) => (bytes / rows).toFixed(1);
    const size =
      format === "parquet"
        ? `${perRow(stored)} bytes a row`
        : `${perRow(content)} bytes a row, ${perRow(stored)} as gzip (${(content / stored).toFixed(1)} times smaller)`;
    console.log(`files, ${file} as ${format}: ${rows} rows, ${size}`);
  }
  const store = new DirectoryStore(parts.objects);
  const pathOf = (format: string) => store.pathOf(keys.get(format) ?? "");
  await compareQueries({ ndjson: pathOf("ndjson"), parquet: pathOf("parquet") });
}

/** On the simulator of R2, whose requests pass another Worker. The floor is a response without any file. */
async function measureFirstByte(
  { objects }: FileBench,
  product: Bundle,
  variables: Record<string, string>,
  key: string,
): Promise<void> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const own = { ...variables, API_BASE_URL: url };
  const miniflare = new Miniflare({ ...productOptions(product, own), port });
  try {
    await miniflare.ready;
    const bucket = await miniflare.getR2Bucket("ARTIFACTS", "product");
    await bucket.put(key, readFileSync(new DirectoryStore(objects).pathOf(key)), {
      httpMetadata: { contentType: "application/x-ndjson", contentEncoding: "gzip" },
    });
    const file = { key, fileName: "trades.ndjson", expiresAt: new Date(Date.now() + HOUR_MS) };
    const link = await createFileLink(parseConfig(own), file, new Date());
    const times = { file: [] as number[], floor: [] as number[] };
    for (let n = 0; n < 20; n += 1) {
      times.file.push(await firstByteMs(link));
      times.floor.push(await firstByteMs(`${url}/api/v1`));
    }
    const [file50, floor50] = [median(times.file), median(times.floor)];
    console.log(
      `files, first byte of a download: ${file50.toFixed(1)} ms, ${(file50 / floor50).toFixed(2)} times a response without a file (${floor50.toFixed(1)} ms), on the simulator of R2`,
    );
  } finally {
    await miniflare.dispose();
  }
}

async function firstByteMs(url: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} responded with ${response.status}`);
  const reader = response.body?.getReader();
  await reader?.read();
  const ms = performance.now() - startedAt;
  await reader?.cancel();
  return ms;
}

async function extract(parts: FileBench, jobIds: readonly number[]): Promise<ExtractResult> {
  const consumer = await startConsumer(parts);
  return consumer.run(jobIds);
}
