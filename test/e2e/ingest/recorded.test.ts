import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../../../scripts/services/free-port.ts";
import { queryProductDatabase } from "../../support/product/product-database.ts";
import { sharedPath } from "../../support/providers/shared-path.ts";
import {
  makeDataDir,
  removeDataDir,
  startProduct,
  type StartedProduct,
} from "../../support/product/started-product.ts";

const root = new URL("../../..", import.meta.url).pathname;
const RECORDED = sharedPath("data/");
const CONTRACT_CHECK = sharedPath("tools/contract-check.mjs");

/**
 * All that reading the provider writes, as one value: a lost, doubled or changed row changes it.
 * trader_synced events are left out, because they are published again when the first sync is forgotten.
 */
const FINGERPRINT = `
  select (select md5(string_agg(e::text, ',' order by id)) from ledger_entries e) as entries,
    (select md5(string_agg(a::text, ',' order by id)) from trader_activity a) as activity,
    (select md5(string_agg(p::text, ',' order by trader_id, outcome_id)) from positions p) as positions,
    (select md5(string_agg(t::text, ',' order by trader_id)) from trader_totals t) as totals,
    (select md5(string_agg(l::text, ',' order by id)) from large_trades l) as large_trades,
    (select count(*) from events where type <> 'trader_synced') as events`;
const FORGET_PROGRESS = `
  with feeds as (delete from ingest_checkpoints where feed like 'trades:%')
  update trader_syncs set complete_at = null, covered_to = null, resume = null, due_at = now()`;
const READ_TO_THE_END = `
  select (select count(*) from ingest_checkpoints where feed like 'trades:%' and (state -> 'watermarkMs') <> 'null') = 2
    and not exists (select from trader_syncs where complete_at is null) as yes`;

describe.runIf(existsSync(RECORDED))("a replay of the recorded activity at full speed", () => {
  let dataDir: string;
  let product: StartedProduct;

  beforeAll(async () => {
    dataDir = await makeDataDir();
    product = await startProduct(dataDir, [
      "--source",
      "replay",
      RECORDED,
      "--speed",
      "max",
      "--port",
      String(await freePort()),
    ]);
  });

  afterAll(async () => {
    await product?.stop();
    await removeDataDir(dataDir);
  });

  const ask = async (statement: string) => (await queryProductDatabase(dataDir, statement))[0];
  const countTrades = async () =>
    Number((await ask("select count(*) as n from ledger_entries where kind in ('buy', 'sell')")).n);

  test("a replay at full speed stores as many trades as the provider reports, without quarantined records", async () => {
    const recorded = Number(/^Provider: recorded: (\d+) trades/m.exec(product.output())?.[1]);
    expect(recorded).toBeGreaterThan(19_000);
    expect(await countTrades()).toBe(recorded);
    expect(product.output()).toContain(
      `done: ${recorded.toLocaleString("en-US")} of ${recorded.toLocaleString("en-US")} trades`,
    );
    expect((await ask("select count(*) as n from quarantined_records where feed like 'trades:%'")).n).toBe("0");
  });

  test("a replay at full speed leaves a healthy product", async () => {
    expect(product.facts.provider).toBe("replay");
    const { status, body } = await product.get("/api/v1/health", {});
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ status: "ok", db: true, cache: true });
  });

  test("every recorded trade of at least $50,000 below the price bound is served with its trader, side, price and time", async () => {
    const recorded = linesOf("trades/large-trades-50k-2026.ndjson.gz").filter((row) => row.price < 0.97);
    const served = await readAll("/api/v1/large-trades/history?min_size=49999&limit=100");
    const missing = recorded.filter((row) => {
      const at = served.findIndex(
        (trade) =>
          trade.trader.address === row.wallet &&
          Date.parse(trade.traded_at) === row.timestamp * 1000 &&
          trade.side === "BUY" &&
          // Published numbers are truncated; shares have six decimals, so a trade may also be a cent below
          // the file's dollars.
          Math.abs(trade.price - row.price) < 0.0001 &&
          Math.abs(trade.size_usd - row.usd) < 0.011,
      );
      if (at !== -1) served.splice(at, 1);
      return at === -1;
    });
    expect(recorded.length).toBeGreaterThan(400);
    expect(missing).toEqual([]);
  });

  test.runIf(existsSync(CONTRACT_CHECK))("a replayed product passes the contract's own check", async () => {
    const check = () =>
      spawnSync(process.execPath, [CONTRACT_CHECK], {
        cwd: root,
        encoding: "utf8",
        env: { ...process.env, BASE_URL: product.facts.base_url, API_KEY: product.facts.api_key },
      });
    let run = check();
    // A market's holders may return a retry hint, and the check does not retry by itself as a client would.
    for (let times = 0; times < 3 && /^FAIL.*being scanned/m.test(run.stdout); times++) {
      await new Promise((resolve) => setTimeout(resolve, 10_000));
      run = check();
    }
    const failed = run.stdout.split("\n").filter((line) => line.startsWith("FAIL"));
    // The recording has no game with graded holders before its kickoff, and the check takes any event for a game.
    const absent = [
      /^FAIL +getPickOfTheDay: status 404, .*#pick_not_released/,
      /^FAIL +getGame: status 404, .*No covered game/,
    ];
    expect(failed.filter((line) => !absent.some((pattern) => pattern.test(line)))).toEqual([]);
    expect(run.stdout).toMatch(new RegExp(`^[1-9]\\d+ ok, ${failed.length} failed, `, "m"));
  });

  test("a second read of all feeds and traders from the beginning changes nothing", async () => {
    const before = await ask(FINGERPRINT);
    await ask(FORGET_PROGRESS);
    await expect.poll(async () => (await ask(READ_TO_THE_END)).yes, { timeout: 200_000, interval: 500 }).toBe(true);
    expect(await ask(FINGERPRINT)).toEqual(before);
  });

  async function readAll(path: string): Promise<any[]> {
    const rows: any[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const { body }: { body: any } = await product.get(
        cursor === "" ? path : `${path}&cursor=${encodeURIComponent(cursor)}`,
      );
      rows.push(...body.data);
      cursor = body.next_cursor ?? null;
    }
    return rows;
  }
});

function linesOf(file: string): any[] {
  const text = gunzipSync(readFileSync(RECORDED + file)).toString();
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}
