import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { get } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../../scripts/services/free-port.ts";
import { generateTrades, saveRecording } from "../../support/product/generated-recording.ts";
import { queryProductDatabase } from "../../support/product/product-database.ts";
import {
  makeDataDir,
  removeDataDir,
  startProduct,
  type StartedProduct,
} from "../../support/product/started-product.ts";

const TRADES = 60_000;

let dir: string;
let product: StartedProduct;

beforeAll(async () => {
  dir = await makeDataDir();
  await mkdir(join(dir, "recording"));
  await saveRecording(join(dir, "recording"), generateTrades(20, 3));
  product = await startProduct(join(dir, "data"), [
    ...["--source", "replay", join(dir, "recording"), "--port", String(await freePort())],
  ]);
});

afterAll(async () => {
  await product?.stop();
  await removeDataDir(dir);
});

const query = (statement: string) => queryProductDatabase(join(dir, "data"), statement);

/** The same while Postgres may be restarting. */
async function queryUntilServed(statement: string): Promise<any[]> {
  for (;;) {
    const rows = await query(statement).catch(() => null);
    if (rows !== null) return rows;
    await sleep(100);
  }
}

async function send(path: string, body?: unknown): Promise<{ status: number; headers: Headers; body: any }> {
  const response = await fetch(`${product.facts.base_url}${path}`, {
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    headers: { authorization: `Bearer ${product.facts.api_key}`, "content-type": "application/json" },
    redirect: "manual",
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) };
}

/** The stored bytes: `fetch` would decompress them. */
const download = (url: string) =>
  new Promise<Buffer>((resolve, reject) => {
    get(url, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve(Buffer.concat(chunks)));
    }).on("error", reject);
  });

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

test("a dataset whose Postgres is killed while it is written is completed and verifies against its status", async () => {
  await query(`
    with base as (select * from large_trades order by id limit 1), entries as (
      insert into ledger_entries (trader_id, market_id, outcome_id, tx_hash, kind, ordinal, usd_micro, shares_micro, price, traded_at)
      select trader_id, market_id, outcome_id, decode(lpad(to_hex(n), 64, '0'), 'hex'), 'buy', 0, 9000000000, 18000000000, 0.5,
        timestamptz '2026-01-05T00:00:00Z' + n * interval '1 s' from base, generate_series(1, ${TRADES}) n returning *
    )
    insert into large_trades (entry_id, trader_id, market_id, outcome_id, side, size_usd_micro, shares_micro, price, traded_at, review_score,
      grade_at_trade_status)
    select id, trader_id, market_id, outcome_id, 'BUY', usd_micro, shares_micro, price, traded_at, 0.5, 'unknown' from entries`);
  const range = { from: "2026-01-05T00:00:00Z", to: "2026-01-07T00:00:00Z" };
  const submitted = await send("/api/v1/datasets/whale-trades", range);
  expect(submitted.status).toBe(202);
  const path = `/api/v1/datasets/whale-trades/${submitted.body.data.job_id}`;

  const stateNow = async () => (await queryUntilServed("select state from export_jobs"))[0].state;
  while ((await stateNow()) === "queued") await sleep(10);
  const server = product.processes().find(({ command }) => /bin\/postgres/.test(command) && command.includes("-D"));
  process.kill(server?.pid ?? 0, "SIGKILL");
  // Ends the lease of the consumer that has lost its database, as if its time had passed.
  const [killed] = await queryUntilServed(`
    update export_jobs set lease_until = now(), due_at = now() - interval '1 min' where ready_at is null returning state, progress`);
  expect(killed).toMatchObject({ state: "running" });

  await expect
    .poll(async () => (await send(path)).body?.data?.status, { timeout: 200_000, interval: 500 })
    .toBe("ready");
  const { artifact } = (await send(path)).body.data;
  const link = await send(`${path}/download`);
  expect(link.status).toBe(302);
  const bytes = await download(link.headers.get("location") ?? "");
  const content = gunzipSync(bytes);
  expect(artifact.manifest).toMatchObject({
    row_count: TRADES,
    compressed_size_bytes: bytes.length,
    compressed_sha256: sha256(bytes),
    content_size_bytes: content.length,
    content_sha256: sha256(content),
  });
  const ids = content.toString().match(/^\{"id":"wt_\d+"/gm) ?? [];
  const stored = await query(`select id from large_trades where traded_at >= '${range.from}' order by traded_at, id`);
  expect(ids).toEqual(stored.map(({ id }) => `{"id":"wt_${id}"`));
  expect(product.output()).toContain("Postgres has ended by itself; it is started again.");
});
