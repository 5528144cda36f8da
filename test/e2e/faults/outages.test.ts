import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../../../scripts/services/free-port.ts";
import { startPostgres, type EmbeddedPostgres } from "../../../scripts/services/postgres/postgres.ts";
import { startUpstash, type UpstashEndpoint } from "../../../scripts/services/redis/upstash-endpoint.ts";
import { CountedAccounts, type CountedAccount } from "../../support/product/counted-accounts.ts";
import { lockMeters } from "../../support/product/lock-meters.ts";
import { operateProduct } from "../../support/product/operate-product.ts";
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
const READERS = 40;
/** One read in so many rounds is sent with each revoked key: five a second. */
const PROBE_ROUNDS = 2;
const TOKEN = "token-of-this-test";
/** More seconds than the test takes: the provider must keep sending trades until the end. */
const TRADES = generateTrades(400, 15);
const WALLET = TRADES[0]?.proxyWallet;

let dir: string;
let postgres: EmbeddedPostgres;
let redis: UpstashEndpoint;
let product: StartedProduct;
let accounts: CountedAccounts;
let readers: readonly CountedAccount[];
let requests = 0;
/** Every response of this file, from the first request to the last. */
const answers: ProductResponse[] = [];

/** A key that was revoked just before an outage, and the statuses that it got since. */
interface RevokedKey {
  readonly account: CountedAccount;
  readonly before: string;
  readonly statuses: number[];
}
const revokedKeys: RevokedKey[] = [];

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
  accounts = new CountedAccounts(product, postgres.url, join(dir, "product"));
  readers = await accounts.add(READERS);
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
    const probes = index % PROBE_ROUNDS === 0 ? revokedKeys.map(probe) : [];
    readings.push(...(await Promise.all(paths.map((path) => read(path)))));
    await Promise.all(probes);
    await sleep(100);
  }
  return readings;
}

/** Reads with the next of the reader keys, or with the given headers instead. */
async function read(path: string, headers?: Record<string, string>): Promise<Reading> {
  return headers === undefined
    ? readAs(readers[requests++ % READERS], path)
    : record(path, await product.get(path, headers));
}

async function readAs(account: CountedAccount | undefined, path: string): Promise<Reading> {
  if (account === undefined) throw new Error("there are no readers");
  return record(path, await accounts.get(path, account));
}

function record(path: string, answer: ProductResponse): Reading {
  answers.push(answer);
  return { ...answer, path };
}

/** Revokes a key that was just admitted. The outage must follow at once. */
async function revokeKeyBefore(before: string): Promise<void> {
  const [account] = await accounts.add(1);
  const { status } = await readAs(account, "/api/v1/large-trades?limit=1");
  if (account === undefined || status !== 200) throw new Error(`a new key is answered with ${status}`);
  await operateProduct(join(dir, "product"), postgres.url, `revoke-key ${account.keyId}`);
  revokedKeys.push({ account, before, statuses: [] });
}

async function probe({ account, statuses }: RevokedKey): Promise<void> {
  statuses.push((await readAs(account, "/api/v1/large-trades?limit=1")).status);
}

/** The statuses of the key that was revoked before an outage, up to now. */
const statusesOf = (outage: string): number[] =>
  revokedKeys.filter(({ before }) => before === outage).flatMap(({ statuses }) => [...statuses]);

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

/** Expects several refusals with one of these statuses and no other response. */
function expectRefused(statuses: readonly number[], ...allowed: readonly number[]): void {
  expect(statuses.length).toBeGreaterThanOrEqual(4);
  expect(statuses.filter((status) => !allowed.includes(status))).toEqual([]);
}

function expectUnaccounted(readings: readonly Reading[]): void {
  for (const { path, status, headers, body } of readings) {
    expect({ path, status, reason: body?.error?.reason }).toEqual({
      path,
      status: 503,
      reason: "request_accounting_unavailable",
    });
    expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    expect(headers.get("x-usage-accounting")).toBeNull();
  }
}

describe("a Postgres outage of ten seconds", () => {
  let before: number;
  let during: Reading[];
  let health: unknown;
  let refusals: number[];

  beforeAll(async () => {
    before = await newestStored();
    await revokeKeyBefore("Postgres");
    await postgres.crash();
    // Responses cached before the outage may be served for a few seconds.
    await sleep(3_000);
    during = await readFor(AWAY_MS - 3_000);
    health = (await read("/api/v1/health", {})).body.data;
    refusals = statusesOf("Postgres");
    await postgres.restart();
  });

  test("a key that was revoked before a Postgres outage is refused during it", () => {
    expectRefused(refusals, 401);
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
  let refusals: number[];

  beforeAll(async () => {
    before = await newestStored();
    await revokeKeyBefore("Redis");
    const { port } = new URL(redis.url);
    await redis.stop();
    during = await readFor(AWAY_MS);
    refused = await read("/api/v1/large-trades", { authorization: `Bearer svc_sk_live_${"0".repeat(64)}` });
    health = (await read("/api/v1/health", {})).body.data;
    refusals = statusesOf("Redis");
    redis = await startUpstash({ port: Number(port), token: TOKEN });
  });

  test("a key that was revoked before a Redis outage is refused during it", () => {
    expectRefused(refusals, 401);
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
  let refusals: number[];

  beforeAll(async () => {
    // Creates the object of every reader, so that it can be locked.
    await readFor(0);
    await revokeKeyBefore("meters");
    const unlock = lockMeters(join(dir, "product"));
    during = await readFor(AWAY_MS);
    unknownKey = await read("/api/v1/large-trades", { authorization: `Bearer svc_sk_live_${"0".repeat(64)}` });
    health = await read("/api/v1/health", {});
    refusals = statusesOf("meters");
    unlock();
  });

  test("requests during a meter outage return 503 request_accounting_unavailable with Retry-After, uncounted requests never run", () => {
    expectUnaccounted(during);
  });

  test("a key that was revoked before a meter outage is not admitted during it", () => {
    // A meter that has the revocation in memory refuses by it; another one cannot answer.
    expectRefused(refusals, 401, 503);
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

describe("an outage of the user meters and Redis of ten seconds", () => {
  let during: Reading[];
  let health: unknown;
  let refusals: number[];

  beforeAll(async () => {
    await readFor(0);
    await revokeKeyBefore("meters and Redis");
    const { port } = new URL(redis.url);
    await redis.stop();
    const unlock = lockMeters(join(dir, "product"));
    try {
      during = await readFor(AWAY_MS);
      health = (await read("/api/v1/health", {})).body.data;
      refusals = statusesOf("meters and Redis");
    } finally {
      // Otherwise everything after it fails too.
      unlock();
      redis = await startUpstash({ port: Number(port), token: TOKEN });
    }
  });

  test("requests without meters and Redis return 503 request_accounting_unavailable with Retry-After", () => {
    expectUnaccounted(during);
  });

  test("a key that was revoked before both are away is not admitted", () => {
    // A meter that has the revocation in memory refuses by it; another one cannot answer.
    expectRefused(refusals, 401, 503);
  });

  test("health reports the absence of Redis", () => {
    expect(health).toMatchObject({ status: "degraded", db: true, cache: false });
  });

  test("reads are served and health is ok again when both are back", async () => {
    const statuses = async () => (await readFor(0, 1)).map(({ status }) => status);
    await expect.poll(statuses, { timeout: 150_000, interval: 500 }).toEqual([200, 200, 200, 200]);
    const present = async () => (await read("/api/v1/health", {})).body.data;
    await expect.poll(present, { timeout: 150_000, interval: 1_000 }).toMatchObject({ status: "ok", cache: true });
  });
});

test("a key that was revoked before an outage is admitted neither during nor after any outage", async () => {
  await readFor(0);
  expect(revokedKeys.map(({ before }) => before)).toEqual(["Postgres", "Redis", "meters", "meters and Redis"]);
  for (const { statuses } of revokedKeys) {
    expect(statuses).not.toContain(200);
    expect(statuses.slice(-2)).toEqual([401, 401]);
  }
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

test("the meter and Postgres have every recorded request of each account once", async () => {
  const counted = [...readers, ...revokedKeys.map(({ account }) => account)];
  expect(counted).toHaveLength(READERS + 4);
  const recorded = counted.map(({ id }) => ({ id, requests: accounts.accountedOf({ id }) }));
  // Reads of the usage are stored too, but are in no response's accounting and in no quota.
  const stored = await queryDatabase(
    postgres.url,
    `select account_id::int as id, sum(requests)::int as requests from usage_days
     where account_id in (${counted.map(({ id }) => id).join()}) and operation <> 'getUsage' group by 1 order by 1`,
  );
  expect(stored).toEqual(recorded);
  const used = await Promise.all(
    readers.map(async (reader) => ({
      id: reader.id,
      requests: (await accounts.get("/api/v1/usage", reader)).body.data.monthly_quota.used,
    })),
  );
  expect(used).toEqual(recorded.slice(0, READERS));
});
