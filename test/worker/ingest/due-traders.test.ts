import type { Pool } from "@neondatabase/serverless";
import { openJobContext } from "../../../scripts/bench/job-context.ts";
import { beforeEach, expect, test, vi } from "vitest";
import { handleMessage } from "../../../src/ingest/queue/handle-message.ts";
import type { Tier } from "../../../src/domain/traders/tracking.ts";
import { listDueTraders } from "../../../src/ingest/queue/list-due-work.ts";
import { RowIdCache } from "../../../src/ingest/feeds/row-id-cache.ts";
import type { JobContext } from "../../../src/jobs/define-job.ts";
import { runJob } from "../../../src/jobs/registry.ts";
import { queueOf, type IngestMessage } from "../../../src/messages/ingest-message.ts";
import { ProviderUnavailable } from "../../../src/platform/provider.ts";
import { createTestDatabase } from "../../support/database/database.ts";
import { pageOf } from "../../support/ingest/provider/provider-trades.ts";
import { aPagedProvider } from "../../support/ingest/provider/paged-provider.ts";
import { TEST_SEALING } from "../../support/ingest/test-sealing.ts";

/** The most traders whose sync may be leased at once. */
const BOUND = 200;

let pool: Pool;
/** The addresses whose activity the provider was asked for, in order. */
let listedAddresses: string[];
let fails: (address: string) => boolean;

const provider = {
  ...aPagedProvider({ takers: [], all: [], activity: {}, markets: [], resolutions: [] }),
  listActivity: async (address: string) => {
    listedAddresses.push(address);
    if (fails(address)) throw new ProviderUnavailable("503", null);
    return pageOf([]);
  },
};

beforeEach(async () => {
  pool = (await createTestDatabase()).openPool();
  listedAddresses = [];
  fails = () => false;
});

/** Followed traders; the first has been due for the longest. */
const aBacklog = (wallets: number) =>
  pool.query(
    `with t as (
       insert into traders (address, tier) select '0x' || lpad(to_hex(n), 40, '0'), 'hot' from generate_series(1, $1::int) n returning id, address
     )
     insert into trader_syncs (trader_id, due_at) select id, now() - interval '1 day' + id * interval '1 second' from t`,
    [wallets],
  );

const walletOf = (n: number) => `0x${n.toString(16).padStart(40, "0")}`;

const contextWith = (enqueue: JobContext["enqueue"]) =>
  openJobContext({ pool, provider, enqueue, backfillDays: 1, sealing: TEST_SEALING });

/** Runs the job once. @returns the messages that it enqueued */
async function runSyncJob(): Promise<IngestMessage[]> {
  const sent: IngestMessage[] = [];
  await runJob(
    "sync_traders",
    contextWith(async (messages) => void sent.push(...messages)),
  );
  return sent;
}

const consume = (message: IngestMessage) =>
  handleMessage(message, { pool, provider, rowIds: new RowIdCache(), now: () => new Date() });
const countLeases = async () => Number((await pool.query("select count(*) as n from work_leases")).rows[0]?.n);
const expireLeases = () =>
  pool.query("update work_leases set enqueued_at = enqueued_at - interval '15 minutes 1 second'");

test("10,000 due traders are enqueued within the bound and read once each, and lost messages are enqueued again", async () => {
  const WALLETS = 10_000;
  await aBacklog(WALLETS);
  // A real sync takes several statements; here only its end matters.
  const read = new Set<string>();
  const finish = async (messages: readonly IngestMessage[]) => {
    const addresses = messages.map((message) => ("address" in message ? message.address : ""));
    for (const address of addresses) {
      expect(read.has(address), `${address} was read twice`).toBe(false);
      read.add(address);
    }
    await pool.query(
      `with done as (delete from work_leases where key = any($1::text[]))
       update trader_syncs s set due_at = now() + interval '1 hour' from traders t where t.id = s.trader_id and t.address = any($1::text[])`,
      [addresses],
    );
  };
  const queue: IngestMessage[] = [];
  let vanished = 0;
  let maxLeases = 0;
  for (let round = 0; read.size < WALLETS; round++) {
    expect(round).toBeLessThan(200);
    // The job runs twice while the consumer handles 150 messages, so the consumer is slower than the job.
    for (let turn = 0; turn < 2; turn++) queue.push(...(await runSyncJob()));
    maxLeases = Math.max(maxLeases, await countLeases());
    if (round % 20 === 19) vanished += queue.splice(0, 50).length;
    await finish(queue.splice(0, 150));
    if (queue.length === 0 && (await countLeases()) > 0) await expireLeases();
  }
  expect(vanished).toBeGreaterThan(100);
  expect(maxLeases).toBe(BOUND);
  expect(read.size).toBe(WALLETS);
  expect(queue).toEqual([]);
});

test("the traders due for the longest are enqueued first, and the next follow when leases end", async () => {
  await aBacklog(BOUND + 3);
  const first = await runSyncJob();
  expect(first.map((message) => "address" in message && message.address).toSorted()).toEqual(
    Array.from({ length: BOUND }, (_, index) => walletOf(index + 1)).toSorted(),
  );
  expect(await runSyncJob()).toEqual([]);
  for (const message of first.slice(0, 2)) await consume(message);
  expect((await runSyncJob()).map((message) => "address" in message && message.address)).toEqual([
    walletOf(BOUND + 1),
    walletOf(BOUND + 2),
  ]);
  expect(listedAddresses).toHaveLength(2);
});

test("the traders that would be due again first are enqueued first, whatever their tier", async () => {
  const due: readonly [wallet: number, tier: Tier, minutes: number][] = [
    [1, "cold", 10_075],
    [2, "warm", 31],
    [3, "hot", 0.5],
    [4, "warm", 29],
    [5, "hot", 2.5],
    [6, "warm", 10],
  ];
  for (const [wallet, tier, minutes] of due)
    await pool.query(
      `with t as (insert into traders (address, tier) values ($1, $2) returning id)
       insert into trader_syncs (trader_id, due_at) select id, now() - $3 * interval '1 minute' from t`,
      [walletOf(wallet), tier, minutes],
    );
  const order = [5, 2, 3, 4, 1, 6];
  expect((await listDueTraders(pool, 10)).map((message) => "address" in message && message.address)).toEqual(
    order.map(walletOf),
  );
  expect(await listDueTraders(pool, 2)).toHaveLength(2);
});

test("a run ends when all that is due, or may be under way, is enqueued", async () => {
  const ignore = contextWith(async () => undefined);
  await aBacklog(BOUND + 3);
  expect(await runJob("sync_traders", ignore)).toBe(false);
  await pool.query("delete from work_leases where key <> $1", [walletOf(1)]);
  expect(await runJob("sync_traders", ignore)).toBe(false);
  expect(await countLeases()).toBe(BOUND);
});

test("a run that has enqueued 500 markets goes on with the others", async () => {
  const sent: IngestMessage[] = [];
  const context = contextWith(async (messages) => void sent.push(...messages));
  await pool.query(
    `insert into markets (condition_id) select '0x' || lpad(to_hex(n), 64, '0') from generate_series(1, 501) n`,
  );
  const countSent = () =>
    new Set(sent.flatMap((message) => ("condition_ids" in message ? message.condition_ids : []))).size;
  expect([await runJob("hydrate_markets", context), countSent()]).toEqual([true, 500]);
  expect([await runJob("hydrate_markets", context), countSent()]).toEqual([false, 501]);
});

test("a message delivered twice, sequentially or concurrently, reads the provider once", async () => {
  await aBacklog(1);
  const [message] = await runSyncJob();
  if (message === undefined) throw new Error("no message was enqueued");
  await Promise.all([consume(message), consume(message)]);
  await consume(message);
  expect(listedAddresses).toEqual([walletOf(1)]);
  expect(await countLeases()).toBe(0);
});

test("a message without a lease reads nothing when its trader is not due", async () => {
  await aBacklog(1);
  const message = { kind: "sync_trader", address: walletOf(1) } as const;
  await consume(message);
  await consume(message);
  expect(listedAddresses).toHaveLength(1);
});

test("a message from before a lease's renewal does nothing and leaves the new lease", async () => {
  await aBacklog(1);
  const [lost] = await runSyncJob();
  await expireLeases();
  const [renewed] = await runSyncJob();
  if (lost === undefined || renewed === undefined) throw new Error("no message was enqueued");
  await consume(lost);
  expect(listedAddresses).toEqual([]);
  expect(await countLeases()).toBe(1);
  await consume(renewed);
  expect(listedAddresses).toHaveLength(1);
});

test("work whose lease a crash of Postgres has dropped is enqueued again, and its old message does nothing", async () => {
  await aBacklog(1);
  const [dropped] = await runSyncJob();
  const { rows } = await pool.query("select relpersistence as kept from pg_class where relname = 'work_leases'");
  expect(rows).toEqual([{ kept: "u" }]);
  await pool.query("truncate work_leases");
  const [next] = await runSyncJob();
  if (dropped === undefined || next === undefined) throw new Error("no message was enqueued");
  await consume(dropped);
  expect(listedAddresses).toEqual([]);
  await consume(next);
  expect(listedAddresses).toEqual([walletOf(1)]);
});

test("work that is done while a crash of Postgres drops its lease is stored", async () => {
  await aBacklog(1);
  const [message] = await runSyncJob();
  if (message === undefined) throw new Error("no message was enqueued");
  fails = () => {
    dropLeases = pool.query("truncate work_leases");
    return false;
  };
  let dropLeases: Promise<unknown> = Promise.resolve();
  await consume(message);
  await dropLeases;
  expect(await runSyncJob()).toEqual([]);
});

test("a lease is not renewed while its message may still be queued", async () => {
  await aBacklog(1);
  await runSyncJob();
  await pool.query("update work_leases set enqueued_at = enqueued_at - interval '14 minutes'");
  expect(await runSyncJob()).toEqual([]);
});

test("a message whose sync failed keeps its lease for the retry", async () => {
  await aBacklog(1);
  fails = () => true;
  const [message] = await runSyncJob();
  if (message === undefined) throw new Error("no message was enqueued");
  await expect(consume(message)).rejects.toThrow(ProviderUnavailable);
  expect(await runSyncJob()).toEqual([]);
  fails = () => false;
  await consume(message);
  expect(listedAddresses).toHaveLength(2);
  expect(await countLeases()).toBe(0);
});

test("traders that fail permanently do not block the others", async () => {
  await aBacklog(BOUND + 1);
  fails = () => true;
  const [first] = await runSyncJob();
  if (first === undefined) throw new Error("no message was enqueued");
  await expect(consume(first)).rejects.toThrow(ProviderUnavailable);
  // Mark the other enqueued traders as failed as well.
  const { rowCount } = await pool.query(
    `update trader_syncs s set failed_at = f.failed_at from trader_syncs f, traders t join work_leases l on l.key = t.address
     where f.failed_at is not null and t.id = s.trader_id`,
  );
  expect(rowCount).toBe(BOUND);
  await expireLeases();
  // The failed traders back off, so the next one is enqueued.
  expect((await runSyncJob()).map((message) => "address" in message && message.address)).toEqual([walletOf(BOUND + 1)]);
});

test("a message that could not be sent is enqueued by the next run", async () => {
  await aBacklog(1);
  const enqueue = vi.fn().mockRejectedValue(new Error("the queue is unavailable"));
  await expect(runJob("sync_traders", contextWith(enqueue))).rejects.toThrow("the queue is unavailable");
  expect(await runSyncJob()).toHaveLength(1);
});

test("the activity of traders and their figures have queues of their own, behind no market, book, bet or holder message", () => {
  expect(queueOf({ kind: "sync_trader", address: walletOf(1) })).toBe("traders");
  expect(queueOf({ kind: "read_combos", address: walletOf(1) })).toBe("traders");
  expect(queueOf({ kind: "measure_traders", trader_ids: [1] })).toBe("figures");
  expect(queueOf({ kind: "profile_traders", trader_ids: [1] })).toBe("figures");
  expect(queueOf({ kind: "rank_profiles" })).toBe("figures");
  const others: IngestMessage[] = [
    { kind: "hydrate_markets", condition_ids: ["c"] },
    { kind: "refresh_books", token_ids: ["t"] },
    { kind: "score_markets", market_ids: [1] },
    { kind: "scan_holders", market_ids: [1] },
  ];
  expect(others.map(queueOf)).toEqual(others.map(() => "ingest"));
});
