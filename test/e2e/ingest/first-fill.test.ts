import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../../scripts/services/free-port.ts";
import { startPostgres, type EmbeddedPostgres } from "../../../scripts/services/postgres/postgres.ts";
import { queryDatabase } from "../../support/product/product-database.ts";
import {
  makeDataDir,
  removeDataDir,
  runStart,
  startProduct,
  type StartRun,
} from "../../support/product/started-product.ts";
import {
  listAsStored,
  listStoredTrades,
  saveRecording,
  generateTrades,
} from "../../support/product/generated-recording.ts";

const TRADES = generateTrades(1_500, 15);

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
  // Until the first start has created the tables, there is nothing to count.
  const rows = await queryDatabase(postgres.url, "select count(*)::int as n from ledger_entries").catch(() => []);
  return rows[0]?.n ?? 0;
}

async function untilStored(least: number): Promise<void> {
  await expect.poll(countStored, { timeout: 200_000, interval: 50 }).toBeGreaterThan(least);
}

test("a first fill stores every trade exactly once after a database crash and a killed process", async () => {
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
  await product.stop();
});
