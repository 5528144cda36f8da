/// <reference types="@cloudflare/vitest-plugin/types" />
import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { consumeFigures, consumeIngest, consumeTraders } from "../../../queues/consume-ingest.ts";
import type { Env } from "../../../src/env.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database/database.ts";
import { waitForLedgerWaiters, whileLedgerIsLocked } from "../../support/ingest/ledger-lock.ts";
import { readStoredState } from "../../support/ingest/stored-state.ts";
import { anActivityRow } from "../../support/providers/payloads.ts";

const ADA = `0x${"a1".repeat(20)}`;
const BOB = `0x${"b2".repeat(20)}`;
const syncOf = (address: string) => ({ kind: "sync_trader", address });

let database: TestDatabase;
/** The provider's response for a trader's activity. */
let respond: (wallet: string) => Response | Promise<Response>;

const activityPage = (wallet: string) =>
  Response.json({
    data: [anActivityRow({ proxy_wallet: wallet })],
    pagination: { has_more: false, next_cursor: null },
  });

beforeEach(async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const realFetch = globalThis.fetch;
  vi.stubGlobal("fetch", async (input: RequestInfo, init?: RequestInit) => {
    const url = new URL(typeof input === "string" ? input : input.url);
    return url.host === "data.test" ? respond(url.searchParams.get("user") ?? "") : realFetch(input, init);
  });
  respond = activityPage;
  database = await createTestDatabase();
  const follow = `with t as (insert into traders (address, tier) values ($1, 'hot'), ($2, 'hot') returning id)
    insert into trader_syncs (trader_id) select id from t`;
  await database.openPool().query(follow, [ADA, BOB]);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

interface BatchResult {
  readonly acked: readonly string[];
  /** Message ids with their retry delay in seconds. */
  readonly retried: readonly (readonly [id: string, delaySeconds: number | undefined])[];
}

/** Delivers the messages as one batch, each with its first attempt. Message ids are `m1`, `m2` and so on. */
async function deliver(
  bodies: readonly unknown[],
  databaseUrl = database.databaseUrl,
  consume: typeof consumeFigures = consumeIngest,
): Promise<BatchResult> {
  const messages = bodies.map((body, index) => ({ id: `m${index + 1}`, timestamp: new Date(), attempts: 1, body }));
  const batch = createMessageBatch("ingest", messages);
  const retries = batch.messages.map((message) => vi.spyOn(message, "retry"));
  const settings = { DATABASE_URL: databaseUrl, PROVIDER_DATA_URL: "https://data.test" };
  // The bindings come from wrangler.toml, which the test runtime reads.
  await consume(batch, { ...(env as Env), ...settings });
  const { explicitAcks, retryMessages } = await getQueueResult(batch, createExecutionContext());
  const delayOf = (id: string) => retries[Number(id.slice(1)) - 1]?.mock.lastCall?.[0]?.delaySeconds;
  return { acked: explicitAcks, retried: retryMessages.map(({ msgId }) => [msgId, delayOf(msgId)]) };
}

const stored = () => readStoredState(database.openPool());

test("a message is acknowledged after its work is stored", async () => {
  const result = await deliver([syncOf(ADA)]);
  expect(result).toEqual({ acked: ["m1"], retried: [] });
  expect((await stored()).entries.map((row) => row["address"])).toEqual([ADA]);
});

/** Messages that are quarantined at once. */
const UNREADABLE = [{ kind: "?" }, { kind: "?" }];

test("messages of a batch are in progress at once", async () => {
  const bob = Promise.withResolvers<void>();
  respond = async (wallet) => {
    if (wallet === BOB) bob.resolve();
    else await bob.promise;
    return activityPage(wallet);
  };
  const { acked } = await deliver([syncOf(ADA), ...UNREADABLE, syncOf(BOB)]);
  expect(acked.toSorted()).toEqual(["m1", "m2", "m3", "m4"]);
});

/** Longest wait for so many requests at once. */
const AT_ONCE_MS = 5_000;

/**
 * Slow responses, with the greatest number of requests at once so far. The first ones wait until `expected` are in progress, so
 * that none ends before the last of them begins.
 */
function countAtOnce(expected: number): { readonly most: number; readonly total: number } {
  const requests = { current: 0, most: 0, total: 0 };
  const reached = Promise.withResolvers<void>();
  respond = async (wallet) => {
    requests.total++;
    requests.most = Math.max(requests.most, ++requests.current);
    if (requests.current >= expected) reached.resolve();
    await Promise.race([reached.promise, new Promise((done) => setTimeout(done, AT_ONCE_MS))]);
    await new Promise((done) => setTimeout(done, 50));
    requests.current--;
    return activityPage(wallet);
  };
  return requests;
}

test("three messages share a session, one after the other", async () => {
  const requests = countAtOnce(1);
  expect((await deliver([syncOf(ADA), syncOf(BOB), ...UNREADABLE.slice(0, 1)])).acked).toEqual(["m1", "m2", "m3"]);
  expect(requests.most).toBe(1);
});

/** Messages of so many further traders that are due. */
async function aBacklog(count: number): Promise<ReturnType<typeof syncOf>[]> {
  const { rows } = await database.openPool().query<{ address: string }>(
    `with t as (insert into traders (address, tier)
       select '0x' || lpad(n::text, 40, '0'), 'hot' from generate_series(1, $1::int) n returning id, address)
     , s as (insert into trader_syncs (trader_id) select id from t)
     select address from t`,
    [count],
  );
  return rows.map(({ address }) => syncOf(address));
}

test.each([
  { queue: "figures", consume: consumeFigures, messages: 10, most: 2 },
  { queue: "ingest", consume: consumeIngest, messages: 10, most: 4 },
  { queue: "traders", consume: consumeTraders, messages: 10, most: 2 },
  { queue: "traders", consume: consumeTraders, messages: 40, most: 8 },
])("of $messages messages of $queue $most are in progress at once", async ({ consume, messages, most }) => {
  const bodies = await aBacklog(messages);
  const requests = countAtOnce(most);
  expect((await deliver(bodies, database.databaseUrl, consume)).acked).toHaveLength(messages);
  expect(requests.most).toBe(most);
});

test("of eight traders with news three wait for the ledger at once", async () => {
  const pool = database.openPool();
  const bodies = await aBacklog(40);
  const requests = countAtOnce(1);
  let waiting = 0;
  const delivered = await whileLedgerIsLocked(pool, async () => {
    const delivery = deliver(bodies, database.databaseUrl, consumeTraders);
    const observer = database.openPool();
    await waitForLedgerWaiters(observer, 3);
    // All eight lanes have had their responses, and none can go on.
    await expect.poll(() => requests.total, { timeout: 10_000 }).toBe(8);
    await new Promise((done) => setTimeout(done, 500));
    const counted = await observer.query(
      "select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database())",
    );
    waiting = counted.rows[0]?.["n"];
    return { delivery };
  });
  expect((await delivered.delivery).acked).toHaveLength(40);
  expect(waiting).toBe(3);
});

test("a message delivered twice in one batch or later changes nothing the second time", async () => {
  await deliver([syncOf(ADA)]);
  const once = await stored();
  const result = await deliver([syncOf(ADA), syncOf(ADA)]);
  expect(result.acked.toSorted()).toEqual(["m1", "m2"]);
  expect(await stored()).toEqual(once);
});

test("messages are retried and store nothing while the schema is outdated", async () => {
  const setBack = (ms: number) =>
    database.openPool().query("update drizzle.__drizzle_migrations set created_at = created_at - $1::bigint", [ms]);
  await setBack(1);
  const bodies = [syncOf(ADA), { kind: "sync_walet" }];
  expect((await deliver(bodies)).retried.map(([id]) => id).toSorted()).toEqual(["m1", "m2"]);
  expect((await stored()).entries).toEqual([]);
  expect((await database.openPool().query("select from quarantined_records")).rowCount).toBe(0);
  await setBack(-1);
  expect((await deliver(bodies)).acked.toSorted()).toEqual(["m1", "m2"]);
});

test("unreadable messages are quarantined with a reason, and the messages after them are handled", async () => {
  const result = await deliver([{ kind: "sync_walet", address: ADA }, null, syncOf(BOB)]);
  expect(result.retried).toEqual([]);
  expect(result.acked.toSorted()).toEqual(["m1", "m2", "m3"]);
  const { rows } = await database
    .openPool()
    .query("select feed, record, reason <> '' as reasoned from quarantined_records order by record::text");
  expect(rows).toEqual([
    { feed: "queue:ingest", record: null, reasoned: true },
    { feed: "queue:ingest", record: { kind: "sync_walet", address: ADA }, reasoned: true },
  ]);
  expect((await stored()).entries.map((row) => row["address"])).toEqual([BOB]);
});

test("a message that the provider refuses is retried, and the rest of the batch is handled", async () => {
  respond = (wallet) => (wallet === ADA ? new Response("no such wallet", { status: 400 }) : activityPage(wallet));
  const result = await deliver([syncOf(ADA), syncOf(BOB)]);
  expect(result).toEqual({ acked: ["m2"], retried: [["m1", 2]] });
  respond = activityPage;
  await deliver([syncOf(ADA)]);
  expect((await stored()).entries.map((row) => row["address"]).sort()).toEqual([ADA, BOB]);
});

test("a message that the provider rate-limits is retried after the provider's Retry-After", async () => {
  respond = () => new Response("", { status: 429, headers: { "retry-after": "40" } });
  expect(await deliver([syncOf(ADA)])).toEqual({ acked: [], retried: [["m1", 40]] });
});

test("a database outage retries every message, readable or not", async () => {
  const { acked, retried } = await deliver([syncOf(ADA), { kind: "nonsense" }], `${database.databaseUrl}_gone`);
  expect(acked).toEqual([]);
  expect(new Map(retried)).toEqual(
    new Map([
      ["m1", 2],
      ["m2", 2],
    ]),
  );
});
