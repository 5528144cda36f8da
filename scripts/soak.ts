import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool } from "@neondatabase/serverless";
import pg from "pg";
import { argumentsOrExit } from "./arguments-or-exit.ts";
import { progressLine } from "./recompute/progress-line.ts";
import { recompute } from "./recompute/recompute.ts";
import { freePort } from "./services/free-port.ts";
import { applyMigrations } from "./services/migrate.ts";
import { startPostgres } from "./services/postgres.ts";
import { parseSoakArguments, USAGE } from "./soak/arguments.ts";
import { digestTables } from "./soak/digest-tables.ts";
import { randomHistory, type RandomHistory } from "./soak/random-history.ts";
import { tell } from "./soak/random-telling.ts";

/*
 * npm run soak -- [--fills N] [--seed N]: the ledger under N random fills. The same history is told twice, to two databases, in pages cut
 * differently; each must be what a fold from nothing gives, and both must be the same.
 */
const SPLITS = ["first", "second"] as const;

const { fills, seed } = argumentsOrExit(parseSoakArguments, USAGE);
const progress = progressLine();
const dataDir = mkdtempSync(join(tmpdir(), "soak-postgres-"));
const postgres = await startPostgres({ dataDir, port: await freePort(), durable: false, log: () => undefined });
try {
  const history = randomHistory(fills, seed);
  // Side by side, which leaves each its own order and takes half the time.
  const [first = {}, second = {}] = await Promise.all(SPLITS.map((name, index) => soak(history, name, seed * SPLITS.length + index)));
  for (const [table, digest] of Object.entries(first)) {
    const same = digest === second[table];
    console.log(`${table}: ${digest}${same ? "" : `, but ${second[table]} in the second split`}`);
    if (!same) process.exitCode = 1;
  }
  console.log(process.exitCode === 1 ? "The ledger is not right." : "No difference to a fold from nothing, none between the splits.");
} finally {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function soak(history: RandomHistory, name: string, split: number): Promise<Readonly<Record<string, string>>> {
  const url = await createDatabase(name);
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  // A session that is ending may still be told that the server ends.
  pool.on("error", () => undefined);
  try {
    const startedAt = performance.now();
    const seconds = () => (performance.now() - startedAt) / 1000;
    // Over TCP in place of a WebSocket. Ingest uses `connect`, `query` and `release` alone, which both drivers have, with the same results.
    const rows = await tell(pool as unknown as Pool, history, split, (round) =>
      progress.show(`${name} split: ${round} of ${history.rounds} rounds, ${seconds().toFixed(0)} s`),
    );
    const toldSeconds = seconds();
    const client = await pool.connect();
    const verified = await recompute(client, {
      verify: true,
      onDifference: (difference) => progress.print(JSON.stringify(difference)),
      onProgress: ({ wallets }) => progress.show(`${name} split: ${wallets} wallets verified`),
    });
    const digests = await digestTables(client);
    client.release();
    progress.print(
      `${name} split: ${rows} rows told in ${toldSeconds.toFixed(1)} s (${Math.round(rows / toldSeconds)}/s); ${verified.wallets} wallets ` +
        `and ${verified.entries} entries verified in ${(seconds() - toldSeconds).toFixed(1)} s, ${verified.differences} differences`,
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
