import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../../scripts/services/free-port.ts";
import { startPostgres, type EmbeddedPostgres } from "../../scripts/services/postgres.ts";
import { startUpstash, type UpstashEndpoint } from "../../scripts/services/upstash-endpoint.ts";
import { lockMeters } from "../support/lock-meters.ts";
import { askDatabase } from "../support/product-database.ts";
import { makeDataDir, removeDataDir, startProduct, type Answer, type StartedProduct } from "../support/started-product.ts";
import { listAsStored, listStoredTrades, saveRecording, writeTrades } from "../support/written-recording.ts";

const AWAY_MS = 10_000;
const TOKEN = "token-of-this-test";
/** More seconds than the test takes: the provider must not fall silent before its end. */
const TRADES = writeTrades(400, 15);
const WALLET = TRADES[0]?.proxyWallet;

let dir: string;
let postgres: EmbeddedPostgres;
let redis: UpstashEndpoint;
let product: StartedProduct;
/** Every answer of this file, from the first request to the last. */
const answers: Answer[] = [];

beforeAll(async () => {
  dir = await makeDataDir();
  await mkdir(join(dir, "recording"));
  await saveRecording(join(dir, "recording"), TRADES);
  postgres = await startPostgres({ dataDir: join(dir, "postgres"), port: await freePort(), log: () => undefined });
  redis = await startUpstash({ port: 0, token: TOKEN });
  product = await startProduct(
    join(dir, "product"),
    ["--source", "replay", join(dir, "recording"), "--speed", "1", "--port", String(await freePort())],
    { DATABASE_URL: postgres.url, UPSTASH_REDIS_REST_URL: redis.url, UPSTASH_REDIS_REST_TOKEN: TOKEN },
  );
});

afterAll(async () => {
  await product?.stop();
  await redis?.stop();
  await postgres?.stop();
  await removeDataDir(dir);
});

interface Reading extends Answer {
  readonly path: string;
  readonly tookMs: number;
}

/** Forty reads a second of a little of everything until the time is over, each path anew so that not only the cache answers. */
async function readFor(durationMs: number): Promise<Reading[]> {
  const readings: Reading[] = [];
  const endsAt = Date.now() + durationMs;
  for (let turn = 0; Date.now() < endsAt; turn++) {
    const limit = 1 + (turn % 50);
    const paths = [
      `/api/v1/large-trades?limit=${limit}`,
      `/api/v1/leaderboard?limit=${limit}`,
      `/api/v1/markets/search?q=rain&limit=${limit}`,
      `/api/v1/trader/${WALLET}`,
    ];
    readings.push(...(await Promise.all(paths.map((path) => read(path)))));
    await sleep(100);
  }
  return readings;
}

async function read(path: string, headers?: Record<string, string>): Promise<Reading> {
  const startedAt = Date.now();
  const answer = await product.get(path, headers);
  answers.push(answer);
  return { ...answer, path, tookMs: Date.now() - startedAt };
}

const newestStored = async () =>
  Number((await askDatabase(postgres.url, "select extract(epoch from max(traded_at))::int as at from ledger_entries"))[0]?.at);

/** Waits until something traded after `second` is stored, and expects every trade up to that second stored exactly once. */
async function expectAllStoredUpTo(second: number): Promise<void> {
  await expect.poll(newestStored, { timeout: 60_000, interval: 500 }).toBeGreaterThan(second + 1);
  const written = TRADES.filter((trade) => trade.timestamp <= second);
  expect(await listStoredTrades(postgres.url, second)).toEqual(listAsStored(written));
}

describe("with everything there", () => {
  test("a large trade shows in the API within seconds of its match, while the product runs", async () => {
    const newest = async () => Date.parse((await read("/api/v1/large-trades?limit=1")).body.data[0].traded_at);
    const before = await newest();
    await expect.poll(newest, { timeout: 15_000, interval: 250 }).toBeGreaterThan(before);
  });
});

describe("Postgres away for ten seconds", () => {
  let before: number;
  let during: Reading[];
  let health: unknown;

  beforeAll(async () => {
    before = await newestStored();
    await postgres.crash();
    // Answers kept from before may be served for their few seconds.
    await sleep(3_000);
    during = await readFor(AWAY_MS - 3_000);
    health = (await read("/api/v1/health", {})).body.data;
    await postgres.restart();
  });

  test("reads are answered 503 database_unavailable with Retry-After, as JSON and at once", () => {
    for (const { path, status, headers, body, tookMs } of during) {
      expect({ path, status, reason: body?.error?.reason }).toEqual({ path, status: 503, reason: "database_unavailable" });
      expect(headers.get("content-type")).toMatch(/^application\/json/);
      expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      expect(headers.get("x-request-id")).toBe(body.meta.request_id);
      expect(tookMs).toBeLessThan(3_000);
    }
    expect(during.length).toBeGreaterThan(30);
  });

  test("health says that it is down, and why", () => {
    expect(health).toMatchObject({ status: "down", db: false, cache: true });
  });

  test("reads are served again once it is back", async () => {
    const statuses = async () => (await readFor(1)).map(({ status }) => status);
    await expect.poll(statuses, { timeout: 10_000, interval: 500 }).toEqual([200, 200, 200, 200]);
  });

  test("no trade of before, during and after is lost or stored twice", async () => {
    await expectAllStoredUpTo(before + 2 * (AWAY_MS / 1_000));
  });
});

describe("Redis away for ten seconds", () => {
  let before: number;
  let during: Reading[];
  let health: unknown;
  let refused: Answer;

  beforeAll(async () => {
    before = await newestStored();
    const { port } = new URL(redis.url);
    await redis.stop();
    during = await readFor(AWAY_MS);
    refused = await read("/api/v1/large-trades", { authorization: `Bearer svc_sk_live_${"0".repeat(64)}` });
    health = (await read("/api/v1/health", {})).body.data;
    redis = await startUpstash({ port: Number(port), token: TOKEN });
  });

  test("reads are served all the same, credentials included", () => {
    expect(during.filter(({ status }) => status !== 200)).toEqual([]);
    expect(Math.max(...during.map(({ tookMs }) => tookMs))).toBeLessThan(3_000);
    expect(during.length).toBeGreaterThan(30);
  });

  test("and a key that is none is refused", () => {
    expect(refused).toMatchObject({ status: 401, body: { error: { code: "invalid_api_key" } } });
  });

  test("health says that it is degraded, and why", () => {
    expect(health).toMatchObject({ status: "degraded", db: true, cache: false });
  });

  test("health is well again once it is back", async () => {
    const present = async () => (await read("/api/v1/health", {})).body.data;
    await expect.poll(present, { timeout: 30_000, interval: 1_000 }).toMatchObject({ status: "ok", cache: true });
  });

  test("ingest went on: no trade is missing or stored twice", async () => {
    await expectAllStoredUpTo(before + AWAY_MS / 1_000);
  });
});

describe("the users' meters away for ten seconds", () => {
  let during: Reading[];
  let unknownKey: Answer;
  let health: Answer;

  beforeAll(async () => {
    // Every reader's object is there to be locked.
    await readFor(1_000);
    const unlock = lockMeters(join(dir, "product"));
    during = await readFor(AWAY_MS);
    unknownKey = await read("/api/v1/large-trades", { authorization: `Bearer svc_sk_live_${"0".repeat(64)}` });
    health = await read("/api/v1/health", {});
    unlock();
  });

  test("no request is run uncounted: each is answered 503 request_accounting_unavailable with Retry-After, at once", () => {
    for (const { path, status, headers, body, tookMs } of during) {
      expect({ path, status, reason: body?.error?.reason }).toEqual({ path, status: 503, reason: "request_accounting_unavailable" });
      expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      expect(headers.get("x-usage-accounting")).toBeNull();
      expect(tookMs).toBeLessThan(3_000);
    }
    expect(during.length).toBeGreaterThan(30);
  });

  test("what needs no meter goes on: a key that is none is refused, health is answered", () => {
    expect(unknownKey).toMatchObject({ status: 401, body: { error: { code: "invalid_api_key" } } });
    expect(health).toMatchObject({ status: 200, body: { data: { status: "ok" } } });
  });

  test("reads are served again once they are back", async () => {
    const statuses = async () => (await readFor(1)).map(({ status }) => status);
    await expect.poll(statuses, { timeout: 10_000, interval: 500 }).toEqual([200, 200, 200, 200]);
  });
});

test("through all of it no request was admitted unaccounted: Postgres comes to hold exactly those that were said to be recorded", async () => {
  const recorded = answers.filter(({ headers }) => headers.get("x-usage-accounting") === "persisted").length;
  const served = answers.filter(({ status, body }) => status === 200 && body.object !== "health").length;
  expect(recorded).toBeGreaterThanOrEqual(served);
  const stored = async () => Number((await askDatabase(postgres.url, "select sum(requests) as requests from usage_days"))[0]?.requests);
  // A minute for the last flush, another for one that failed.
  await expect.poll(stored, { timeout: 130_000, interval: 1_000 }).toBe(recorded);
});
