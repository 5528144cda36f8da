import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseOperatorArguments } from "../../scripts/operator/arguments.ts";
import { openStore } from "../../scripts/operator/open-store.ts";
import { runOperatorCommand } from "../../scripts/operator/run-command.ts";
import { freePort } from "../../scripts/services/free-port.ts";
import { startPostgres, type EmbeddedPostgres } from "../../scripts/services/postgres/postgres.ts";
import { generateTrades, saveRecording } from "../support/generated-recording.ts";
import { addReaders } from "../support/product/more-readers.ts";
import { Backup } from "../support/product/postgres-backup.ts";
import { queryDatabase } from "../support/product/product-database.ts";
import { makeDataDir, removeDataDir, startProduct, type StartedProduct } from "../support/product/started-product.ts";

let dir: string;
let postgres: EmbeddedPostgres;
let product: StartedProduct;

beforeAll(async () => {
  dir = await makeDataDir();
  await mkdir(join(dir, "recording"));
  await saveRecording(join(dir, "recording"), generateTrades(20, 3));
  postgres = await startPostgres({ dataDir: join(dir, "postgres"), port: await freePort(), log: () => undefined });
  product = await startProduct(
    join(dir, "product"),
    ["--source", "replay", join(dir, "recording"), "--port", String(await freePort())],
    { DATABASE_URL: postgres.url },
  );
});

afterAll(async () => {
  await product?.stop();
  await postgres?.stop();
  await removeDataDir(dir);
});

const operate = async (line: string) => {
  const variables = parseEnv(readFileSync(join(dir, "product/worker.env"), "utf8"));
  const store = await openStore({ ...variables, DATABASE_URL: postgres.url }, "/nowhere");
  try {
    return await runOperatorCommand(parseOperatorArguments(line.split(" ")).command, store, new Date());
  } finally {
    await store.close();
  }
};

test("after a restore to an earlier moment no key lives again, earlier cursors are refused and no id is issued twice", async () => {
  const backup = new Backup(join(dir, "postgres"), join(dir, "backup"));
  await backup.begin(postgres);
  const add = () => addReaders(postgres.url, join(dir, "product"), 1);
  const [[revoked = ""], [kept = ""]] = [await add(), await add()];
  const status = async (key: string, path = "/api/v1/events/feed/since?limit=1") =>
    (await product.get(path, { authorization: `Bearer ${key}` })).status;
  await expect.poll(() => status(revoked), { timeout: 30_000 }).toBe(200);
  const page = await product.get("/api/v1/events/feed/since?limit=1", { authorization: `Bearer ${kept}` });
  const cursor = encodeURIComponent(String(page.body.data.next_cursor ?? page.body.next_cursor));
  const [{ id }] = await queryDatabase(postgres.url, "select max(id)::int - 1 as id from api_keys");
  await backup.markMoment(postgres);

  await operate(`revoke-key ${id}`);
  const [later = ""] = await add();
  const newest = async () => (await queryDatabase(postgres.url, "select max(id)::int as id from accounts"))[0].id;
  const lost = await newest();
  expect([await status(revoked), await status(later)]).toEqual([401, 200]);
  // The meter confirms the revocation two seconds after it.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await backup.finishLog(postgres);
  await postgres.crash();
  backup.restore();
  await postgres.restart();
  await expect
    .poll(async () => (await queryDatabase(postgres.url, "select pg_is_in_recovery() as r"))[0].r, { timeout: 20_000 })
    .toBe(false);
  const [row] = await queryDatabase(postgres.url, `select revoked_at from api_keys where id = ${id}`);
  expect([row.revoked_at, await newest()]).toEqual([null, lost - 1]);
  expect(await operate("begin-epoch")).toContain("has begun");

  await expect.poll(() => status(kept), { timeout: 30_000, interval: 500 }).toBe(200);
  expect(await status(revoked)).toBe(401);
  const refused = await product.get(`/api/v1/events/feed/since?limit=1&cursor=${cursor}`, {
    authorization: `Bearer ${kept}`,
  });
  expect(refused).toMatchObject({ status: 400, body: { error: { reason: "cursor_expired" } } });
  await add();
  expect(await newest()).toBeGreaterThan(lost + 900_000);
}, 120_000);
