import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../../scripts/services/free-port.ts";
import { stillRunning } from "../../support/product/process-tree.ts";
import {
  makeDataDir,
  removeDataDir,
  startProduct,
  type StartedProduct,
} from "../../support/product/started-product.ts";
import { saveRecording, generateTrades } from "../../support/product/generated-recording.ts";

let dir: string;
let product: StartedProduct | null = null;

beforeAll(async () => {
  dir = await makeDataDir();
  await mkdir(join(dir, "recording"));
  await saveRecording(join(dir, "recording"), generateTrades(20, 3));
});

afterAll(async () => {
  await product?.stop();
  await removeDataDir(dir);
});

test("a start whose main process was killed leaves nothing that blocks the next start on the same port and data", async () => {
  const args = ["--source", "replay", join(dir, "recording"), "--port", String(await freePort())];
  const start = () => startProduct(join(dir, "data"), args);
  const killed = await start();
  const before = killed.processes();
  const main = before.find(({ command }) => command.includes("scripts/start/main.ts"));
  if (main === undefined) throw new Error("the start has no main process");
  process.kill(main.pid, "SIGKILL");
  while (stillRunning([main]).length > 0) await sleep(20);
  // The processes that it started in groups of their own keep running: the Worker's processes and Postgres.
  const left = stillRunning(before).filter(({ command }) => /workerd|postgres/.test(command));
  expect(left.length).toBeGreaterThan(1);

  product = await start();
  expect(product.output()).toContain("An earlier start was killed and left");
  expect(stillRunning(left)).toEqual([]);
  expect((await product.get("/api/v1/large-trades?limit=1")).status).toBe(200);
});
