import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../scripts/services/free-port.ts";
import { startPostgres, type EmbeddedPostgres } from "../../scripts/services/postgres.ts";
import { askDatabase } from "../support/product-database.ts";
import { makeDataDir, removeDataDir, runStart, startProduct, type StartRun } from "../support/started-product.ts";
import { listAsStored, listStoredTrades, saveRecording, writeTrades } from "../support/written-recording.ts";

const TRADES = writeTrades(1_500, 15);

let dir: string;
let args: string[];
let postgres: EmbeddedPostgres;
let run: StartRun | null = null;

beforeAll(async () => {
  dir = await makeDataDir();
  await mkdir(join(dir, "recording"));
  await saveRecording(join(dir, "recording"), TRADES);
  postgres = await startPostgres({ dataDir: join(dir, "postgres"), port: await freePort(), log: () => undefined });
  args = ["--source", "replay", join(dir, "recording"), "--port", String(await freePort())];
});

afterAll(async () => {
  await run?.stop();
  await postgres?.stop();
  await removeDataDir(dir);
});

async function countStored(): Promise<number> {
  // Until the first start has made the tables there is nothing to count.
  const rows = await askDatabase(postgres.url, "select count(*)::int as n from ledger_entries").catch(() => []);
  return rows[0]?.n ?? 0;
}

async function untilStored(least: number): Promise<void> {
  await expect.poll(countStored, { timeout: 60_000, interval: 50 }).toBeGreaterThan(least);
}

test("a first fill that lost its database, then its process, and was started again has every trade exactly once", async () => {
  run = runStart(["--data", join(dir, "product"), ...args], { DATABASE_URL: postgres.url });
  await untilStored(1_000);
  await postgres.crash();
  await sleep(3_000);
  await postgres.restart();
  const stored = await countStored();
  expect(stored).toBeLessThan(TRADES.length);

  await untilStored(stored + 1_000);
  run.kill();
  await run.ended;
  expect(await countStored()).toBeLessThan(TRADES.length);

  const product = await startProduct(join(dir, "product"), args, { DATABASE_URL: postgres.url });
  expect(await listStoredTrades(postgres.url)).toEqual(listAsStored(TRADES));
  // The work that was queued is not waited for, although the queue ended with the process.
  expect(product.readyAfterMs).toBeLessThan(60_000);
  await product.stop();
});
