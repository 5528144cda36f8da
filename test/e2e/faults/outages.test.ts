import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../../../scripts/services/free-port.ts";
import { startPostgres, type EmbeddedPostgres } from "../../../scripts/services/postgres/postgres.ts";
import { startUpstash, type UpstashEndpoint } from "../../../scripts/services/redis/upstash-endpoint.ts";
import { lockMeters } from "../../support/product/lock-meters.ts";
import { queryDatabase } from "../../support/product/product-database.ts";
import {
  makeDataDir,
  removeDataDir,
  startProduct,
  type ProductResponse,
  type StartedProduct,
} from "../../support/product/started-product.ts";
import {
  listAsStored,
  listStoredTrades,
  saveRecording,
  generateTrades,
} from "../../support/product/generated-recording.ts";

const AWAY_MS = 10_000;
const TOKEN = "token-of-this-test";
/** More seconds than the test takes: the provider must keep sending trades until the end. */
const TRADES = generateTrades(400, 15);
const WALLET = TRADES[0]?.proxyWallet;

let dir: string;
let postgres: EmbeddedPostgres;
let redis: UpstashEndpoint;
let product: StartedProduct;
/** Every response of this file, from the first request to the last. */
const answers: ProductResponse[] = [];

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

interface Reading extends ProductResponse {
  readonly path: string;
}

/**
 * Sends up to forty reads a second over several paths until the time is over, and at least `rounds` times. The
 * limit changes each time, so that the cache alone cannot answer.
 */
async function readFor(durationMs: number, rounds = 10): Promise<Reading[]> {
  const readings: Reading[] = [];
  const endsAt = Date.now() + durationMs;
  for (let index = 0; index < rounds || Date.now() < endsAt; index++) {
    const limit = 1 + (index % 50);
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
  const answer = await product.get(path, headers);
  answers.push(answer);
  return { ...answer, path };
}

const newestStored = async () =>
  Number(
    (await queryDatabase(postgres.url, "select extract(epoch from max(traded_at))::int as at from ledger_entries"))[0]
      ?.at,
  );

/**
 * Waits until a trade after `second` is stored, and expects every trade up to that second stored exactly
 * once.
 */
async function expectAllStoredUpTo(second: number): Promise<void> {
  await expect.poll(newestStored, { timeout: 150_000, interval: 500 }).toBeGreaterThan(second + 1);
  const written = TRADES.filter((trade) => trade.timestamp <= second);
  expect(await listStoredTrades(postgres.url, second)).toEqual(listAsStored(written));
}

describe("all services available", () => {
  test("a large trade is served within seconds of its execution", async () => {
    const newest = async () => Date.parse((await read("/api/v1/large-trades?limit=1")).body.data[0].traded_at);
    const before = await newest();
    await expect.poll(newest, { timeout: 150_000, interval: 250 }).toBeGreaterThan(before);
  });
});

describe("a Postgres outage of ten seconds", () => {
  let before: number;
  let during: Reading[];
  let health: unknown;

  beforeAll(async () => {
    before = await newestStored();
    await postgres.crash();
    // Responses cached before the outage may be served for a few seconds.
    await sleep(3_000);
    during = await readFor(AWAY_MS - 3_000);
    health = (await read("/api/v1/health", {})).body.data;
    await postgres.restart();
  });

  test("reads during a Postgres outage return 503 database_unavailable with Retry-After, as JSON", () => {
    for (const { path, status, headers, body } of during) {
      expect({ path, status, reason: body?.error?.reason }).toEqual({
        path,
        status: 503,
        reason: "database_unavailable",
      });
      expect(headers.get("content-type")).toMatch(/^application\/json/);
      expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      expect(headers.get("x-request-id")).toBe(body.meta.request_id);
    }
  });

  test("health reports down during a Postgres outage, with the reason", () => {
    expect(health).toMatchObject({ status: "down", db: false, cache: true });
  });

  test("reads are served again after a Postgres outage", async () => {
    const statuses = async () => (await readFor(0, 1)).map(({ status }) => status);
    await expect.poll(statuses, { timeout: 150_000, interval: 500 }).toEqual([200, 200, 200, 200]);
  });

  test("a Postgres outage loses no trade and stores none twice", async () => {
    await expectAllStoredUpTo(before + 2 * (AWAY_MS / 1_000));
  });
});

describe("a Redis outage of ten seconds", () => {
  let before: number;
  let during: Reading[];
  let health: unknown;
  let refused: ProductResponse;

  beforeAll(async () => {
    before = await newestStored();
    const { port } = new URL(redis.url);
    await redis.stop();
    during = await readFor(AWAY_MS);
    refused = await read("/api/v1/large-trades", { authorization: `Bearer svc_sk_live_${"0".repeat(64)}` });
    health = (await read("/api/v1/health", {})).body.data;
    redis = await startUpstash({ port: Number(port), token: TOKEN });
  });

  test("reads and credentials are served during a Redis outage", () => {
    expect(during.filter(({ status }) => status !== 200)).toEqual([]);
  });

  test("an unknown key is refused during a Redis outage", () => {
    expect(refused).toMatchObject({ status: 401, body: { error: { code: "invalid_api_key" } } });
  });

  test("health reports degraded during a Redis outage, with the reason", () => {
    expect(health).toMatchObject({ status: "degraded", db: true, cache: false });
  });

  test("health reports ok again after a Redis outage", async () => {
    const present = async () => (await read("/api/v1/health", {})).body.data;
    await expect.poll(present, { timeout: 150_000, interval: 1_000 }).toMatchObject({ status: "ok", cache: true });
  });

  test("ingest continues during a Redis outage and loses or doubles no trade", async () => {
    await expectAllStoredUpTo(before + AWAY_MS / 1_000);
  });
});

describe("an outage of the user meters of ten seconds", () => {
  let during: Reading[];
  let unknownKey: ProductResponse;
  let health: ProductResponse;

  beforeAll(async () => {
    // Creates the object of every reader, so that it can be locked.
    await readFor(0);
    const unlock = lockMeters(join(dir, "product"));
    during = await readFor(AWAY_MS);
    unknownKey = await read("/api/v1/large-trades", { authorization: `Bearer svc_sk_live_${"0".repeat(64)}` });
    health = await read("/api/v1/health", {});
    unlock();
  });

  test("requests during a meter outage return 503 request_accounting_unavailable with Retry-After, uncounted requests never run", () => {
    for (const { path, status, headers, body } of during) {
      expect({ path, status, reason: body?.error?.reason }).toEqual({
        path,
        status: 503,
        reason: "request_accounting_unavailable",
      });
      expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      expect(headers.get("x-usage-accounting")).toBeNull();
    }
  });

  test("an unknown key is refused and health responds during a meter outage", () => {
    expect(unknownKey).toMatchObject({ status: 401, body: { error: { code: "invalid_api_key" } } });
    expect(health).toMatchObject({ status: 200, body: { data: { status: "ok" } } });
  });

  test("reads are served again after a meter outage", async () => {
    const statuses = async () => (await readFor(0, 1)).map(({ status }) => status);
    await expect.poll(statuses, { timeout: 150_000, interval: 500 }).toEqual([200, 200, 200, 200]);
  });
});

test("no request is admitted unaccounted in any outage: Postgres ends with exactly the requests reported as recorded", async () => {
  const recorded = answers.filter(({ headers }) => headers.get("x-usage-accounting") === "persisted").length;
  const served = answers.filter(({ status, body }) => status === 200 && body.object !== "health").length;
  expect(recorded).toBeGreaterThanOrEqual(served);
  const stored = async () =>
    Number((await queryDatabase(postgres.url, "select sum(requests) as requests from usage_days"))[0]?.requests);
  // One minute for the last flush, another for one that failed.
  await expect.poll(stored, { timeout: 250_000, interval: 1_000 }).toBe(recorded);
});
