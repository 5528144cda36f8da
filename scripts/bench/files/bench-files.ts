import { execFileSync, fork } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import pg from "pg";
import { parseConfig } from "../../../src/config.ts";
import { createFileLink } from "../../../src/platform/artifacts/file-link.ts";
import { freePort } from "../../services/free-port.ts";
import type { BenchServices } from "../bench-services.ts";
import { bundleFloor, type Bundle } from "../bundles.ts";
import { productOptions } from "../ingest/ingest-worker.ts";
import { measureLatency, measureLoad, median } from "../reads/measure-load.ts";
import { startReadWorkers } from "../reads/read-workers.ts";
import { compareQueries } from "./compare-queries.ts";
import { DirectoryStore } from "./directory-store.ts";
import type { ExtractRequest, ExtractResult } from "./extract-process.ts";
import { DATASET_ROWS, generateLargeTrades, resultOf, submitJobs, type FileKind } from "./file-database.ts";

const SIZES: readonly (readonly [FileKind, string])[] = [
  ["dataset", "ndjson"],
  ["dataset", "parquet"],
  ["export", "json"],
  ["export", "ndjson"],
  ["export", "csv"],
  ["export", "parquet"],
];
const JOBS_AT_ONCE = 20;
/** As many as `max_concurrency` of the queue. */
const CONSUMERS = 4;
const CALLERS = 800;

interface Parts {
  readonly services: BenchServices;
  readonly client: pg.Client;
  readonly dir: string;
  readonly isSmall: boolean;
}

/** The lowest. In production consumers have cores of their own, and share only Postgres with reads. */
const LOW_PRIORITY = 19;

/**
 * Files of large trades. Consumers run in Node, with the sessions and limits of the product; the object store is a
 * directory. Aims: half of the rows/s of psql's COPY through gzip -6, less than 64 MiB, and reads that lose at most
 * a tenth of their rate while 20 jobs run.
 */
export async function benchFiles(
  product: Bundle,
  services: BenchServices,
  variables: Record<string, string>,
  { isSmall, trades }: { readonly isSmall: boolean; readonly trades: number },
): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "bench-files-"));
  const client = new pg.Client({ connectionString: services.databaseUrl });
  await client.connect();
  const parts: Parts = { services, client, dir, isSmall };
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
async function compareExtraction(parts: Parts, trades: number): Promise<string> {
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

async function printSizes(parts: Parts): Promise<void> {
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
  const store = new DirectoryStore(join(parts.dir, "objects"));
  const pathOf = (format: string) => store.pathOf(keys.get(format) ?? "");
  await compareQueries({ ndjson: pathOf("ndjson"), parquet: pathOf("parquet") });
}

/** On the simulator of R2, whose requests pass another Worker. The floor is a response without any file. */
async function measureFirstByte(
  { dir }: Parts,
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
    await bucket.put(key, readFileSync(new DirectoryStore(join(dir, "objects")).pathOf(key)), {
      httpMetadata: { contentType: "application/x-ndjson", contentEncoding: "gzip" },
    });
    const file = { key, fileName: "trades.ndjson", expiresAt: new Date(Date.now() + 3_600_000) };
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

/** Reads without jobs, with them, and without them again: the machine's own changes are between the first and the last. */
async function compareReads(parts: Parts, product: Bundle, variables: Record<string, string>): Promise<void> {
  const { services, client, isSmall } = parts;
  const workers = await startReadWorkers(product, await bundleFloor(), variables);
  try {
    const url = `${workers.product}/api/v1/large-trades`;
    // Enough that none meets its limit. Each caller's meter writes to Postgres too.
    const callers = services.callers.slice(0, CALLERS);
    await measureLatency(url, callers, { requests: callers.length, concurrency: 16 });
    const read = async () => {
      const load = await measureLoad({ url, callers, connections: 16, seconds: isSmall ? 1 : 5 });
      if (load.failed > 0) throw new Error(`${load.failed} reads failed`);
      return load;
    };
    const before = await read();
    const ids = await submitJobs(client, JOBS_AT_ONCE, "dataset", "ndjson");
    const consumers = Promise.all(
      Array.from({ length: CONSUMERS }, (_, n) =>
        extract(
          parts,
          ids.filter((_id, index) => index % CONSUMERS === n),
          LOW_PRIORITY,
        ),
      ),
    );
    const beside = await read();
    await consumers;
    const after = await read();
    const without = (before.requestsPerSecond + after.requestsPerSecond) / 2;
    console.log(
      `files, reads beside ${JOBS_AT_ONCE} jobs of ${CONSUMERS} consumers: ${Math.round(beside.requestsPerSecond)} requests/s, ` +
        `${(beside.requestsPerSecond / without).toFixed(2)} of those without jobs (${Math.round(before.requestsPerSecond)}, ${Math.round(after.requestsPerSecond)}; ` +
        `aim: 0.9; consumers at the lowest priority); p99 ${beside.p99Ms} ms, without ${before.p99Ms} ms`,
    );
  } finally {
    await workers.stop();
  }
}

/** Runs jobs to their ends in another process. */
function extract({ services, dir }: Parts, jobIds: readonly number[], priority = 0): Promise<ExtractResult> {
  const objects = join(dir, "objects");
  mkdirSync(objects, { recursive: true });
  const request: ExtractRequest = {
    databaseUrl: services.databaseUrl,
    neonHttpEndpoint: services.variables["NEON_HTTP_ENDPOINT"] ?? "",
    neonSocketProxy: services.variables["NEON_SOCKET_PROXY"] ?? "",
    ...{ dir: objects, jobIds },
  };
  return new Promise((resolve, reject) => {
    const child = fork("scripts/bench/files/extract-process.ts", {
      execArgv: ["--disable-warning=ExperimentalWarning"],
    });
    // The cast is safe: the child sends only this message.
    child.once("message", (message) => resolve(message as ExtractResult));
    child.once("error", reject);
    child.once("exit", (code) =>
      code === 0 ? undefined : reject(new Error(`a consumer ended with exit code ${code}`)),
    );
    if (child.pid !== undefined) setPriority(child.pid, priority);
    child.send(request);
  });
}
