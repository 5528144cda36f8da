import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool } from "@neondatabase/serverless";
import pg from "pg";
import { argumentsOrExit } from "../arguments-or-exit.ts";
import { progressLine } from "../recompute/progress-line.ts";
import { recompute } from "../recompute/recompute.ts";
import { freePort } from "../services/free-port.ts";
import { applyMigrations } from "../services/postgres/apply-migrations.ts";
import { startPostgres } from "../services/postgres/postgres.ts";
import { parseSoakArguments, USAGE } from "./arguments.ts";
import { digestTables } from "./digest-tables.ts";
import { randomHistory, type RandomHistory } from "./random-history.ts";
import { ingestHistory } from "./ingest-history.ts";

/*
 * npm run soak -- [--fills N] [--seed N]: the ledger under N random fills. Two databases ingest the same
 * history in differently cut pages. Each must equal a full recompute, and both must be equal.
 */
const SPLITS = ["first", "second"] as const;

const { fills, seed } = argumentsOrExit(parseSoakArguments, USAGE);
const progress = progressLine();
const dataDir = mkdtempSync(join(tmpdir(), "soak-postgres-"));
const postgres = await startPostgres({ dataDir, port: await freePort(), durable: false, log: () => undefined });
try {
  const history = randomHistory(fills, seed);
  // In parallel: each keeps its own order, in half the time.
  const [first = {}, second = {}] = await Promise.all(
    SPLITS.map((name, index) => soak(history, name, seed * SPLITS.length + index)),
  );
  for (const [table, digest] of Object.entries(first)) {
    const same = digest === second[table];
    console.log(`${table}: ${digest}${same ? "" : `, but ${second[table]} in the second split`}`);
    if (!same) process.exitCode = 1;
  }
  console.log(
    process.exitCode === 1 ? "The ledger is wrong." : "The ledger equals a full recompute, and both splits are equal.",
  );
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function soak(history: RandomHistory, name: string, split: number): Promise<Readonly<Record<string, string>>> {
  const url = await createDatabase(name);
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  // A session that ends may still receive the server's shutdown error.
  pool.on("error", () => undefined);
  try {
    const startedAt = performance.now();
    const seconds = () => (performance.now() - startedAt) / 1000;
    // Over TCP instead of a WebSocket. Ingest uses `connect`, `query` and `release` only; both drivers have
    // them, with the same results.
    const rows = await ingestHistory(pool as unknown as Pool, history, split, (round) =>
      progress.show(`${name} split: ${round} of ${history.rounds} rounds, ${seconds().toFixed(0)} s`),
    );
    const ingestSeconds = seconds();
    const client = await pool.connect();
    const verified = await recompute(client, {
      verify: true,
      onDifference: (difference) => progress.print(JSON.stringify(difference)),
      onProgress: ({ traders }) => progress.show(`${name} split: ${traders} traders verified`),
    });
    const digests = await digestTables(client);
    client.release();
    progress.print(
      `${name} split: ${rows} rows ingested in ${ingestSeconds.toFixed(1)} s (${Math.round(rows / ingestSeconds)}/s); ${verified.traders} traders ` +
        `and ${verified.entries} entries verified in ${(seconds() - ingestSeconds).toFixed(1)} s, ${verified.differences} differences`,
    );
    if (verified.differences > 0) process.exitCode = 1;
    return digests;
  } finally {
    await pool.end();
  }
}

async function createDatabase(name: string): Promise<string> {
  const admin = new pg.Client({ connectionString: postgres.url });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  await applyMigrations(url.href);
  return url.href;
}
