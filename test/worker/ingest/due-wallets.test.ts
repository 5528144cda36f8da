import type { Pool } from "@neondatabase/serverless";
import { beforeEach, expect, test, vi } from "vitest";
import { handleMessage } from "../../../src/ingest/handle-message.ts";
import { KnownIds } from "../../../src/ingest/known-ids.ts";
import { PagesAhead } from "../../../src/ingest/pages-ahead.ts";
import { runJob } from "../../../src/ingest/run-job.ts";
import { queueOf, type IngestMessage } from "../../../src/messages/ingest.ts";
import { ProviderUnavailable } from "../../../src/ports/provider.ts";
import { createTestDatabase } from "../../support/database.ts";
import { pageOf } from "../../support/ingest/trades.ts";
import { aWrittenProvider } from "../../support/ingest/written-provider.ts";

/** So many wallets may be under way at once. */
const BOUND = 200;

let pool: Pool;
/** The wallets whose activity the provider was asked for, in order. */
let asked: string[];
let fails: (address: string) => boolean;

const provider = {
  ...aWrittenProvider({ takers: [], all: [], activity: {}, markets: [], resolutions: [] }),
  listActivity: async (address: string) => {
    asked.push(address);
    if (fails(address)) throw new ProviderUnavailable("503", null);
    return pageOf([]);
  },
};

beforeEach(async () => {
  pool = (await createTestDatabase()).openPool();
  asked = [];
  fails = () => false;
});

/** Followed wallets, the first due for the longest. */
const aBacklog = (wallets: number) =>
  pool.query(
    `with t as (
       insert into traders (address, tier) select '0x' || lpad(to_hex(n), 40, '0'), 'hot' from generate_series(1, $1::int) n returning id, address
     )
     insert into wallet_syncs (trader_id, due_at) select id, now() - interval '1 day' + id * interval '1 second' from t`,
    [wallets],
  );

const walletOf = (n: number) => `0x${n.toString(16).padStart(40, "0")}`;

/** One run of the job. @returns what it has sent */
async function handOut(): Promise<IngestMessage[]> {
  const sent: IngestMessage[] = [];
  await runJob("wallet_sync", {
    pool,
    provider,
    known: new KnownIds(),
    ahead: new PagesAhead(),
    largeTradeMinUsd: 5_000,
    backfillDays: 1,
    now: Date.now,
    hasten: () => undefined,
    enqueue: async (messages) => void sent.push(...messages),
  });
  return sent;
}

const consume = (message: IngestMessage) => handleMessage(message, { pool, provider, known: new KnownIds(), now: () => new Date() });
const countLeases = async () => Number((await pool.query("select count(*) as n from work_leases")).rows[0]?.n);
const expireLeases = () => pool.query("update work_leases set enqueued_at = enqueued_at - interval '15 minutes 1 second'");

test("10,000 due wallets are handed out within the bound, each is read once, and messages that vanish come back", async () => {
  const WALLETS = 10_000;
  await aBacklog(WALLETS);
  // Reading one takes several statements; here it is enough that it comes to its end.
  const read = new Set<string>();
  const finish = async (messages: readonly IngestMessage[]) => {
    const addresses = messages.map((message) => ("address" in message ? message.address : ""));
    for (const address of addresses) {
      expect(read.has(address), `${address} was read before`).toBe(false);
      read.add(address);
    }
    await pool.query(
      `with done as (delete from work_leases where key = any($1::text[]))
       update wallet_syncs s set due_at = now() + interval '1 hour' from traders t where t.id = s.trader_id and t.address = any($1::text[])`,
      [addresses],
    );
  };
  const queue: IngestMessage[] = [];
  let vanished = 0;
  let most = 0;
  for (let round = 0; read.size < WALLETS; round++) {
    expect(round).toBeLessThan(200);
    // Two turns of the job while the consumer does 150: it is slower than the hand-out.
    for (let turn = 0; turn < 2; turn++) queue.push(...(await handOut()));
    most = Math.max(most, await countLeases());
    if (round % 20 === 19) vanished += queue.splice(0, 50).length;
    await finish(queue.splice(0, 150));
    if (queue.length === 0 && (await countLeases()) > 0) await expireLeases();
  }
  expect(vanished).toBeGreaterThan(100);
  expect(most).toBe(BOUND);
  expect(read.size).toBe(WALLETS);
  expect(queue).toEqual([]);
}, 60_000);

test("the wallets due for the longest go first, and the next follow as those are done", async () => {
  await aBacklog(BOUND + 3);
  const first = await handOut();
  expect(first.map((message) => "address" in message && message.address).toSorted()).toEqual(
    Array.from({ length: BOUND }, (_, index) => walletOf(index + 1)).toSorted(),
  );
  expect(await handOut()).toEqual([]);
  for (const message of first.slice(0, 2)) await consume(message);
  expect((await handOut()).map((message) => "address" in message && message.address)).toEqual([walletOf(BOUND + 1), walletOf(BOUND + 2)]);
  expect(asked).toHaveLength(2);
});

test("a message that comes twice, one after the other or at one time, asks the provider once", async () => {
  await aBacklog(1);
  const [message] = await handOut();
  if (message === undefined) throw new Error("the wallet is due");
  await Promise.all([consume(message), consume(message)]);
  await consume(message);
  expect(asked).toEqual([walletOf(1)]);
  expect(await countLeases()).toBe(0);
});

test("a message without a lease is not read when its wallet is not due", async () => {
  await aBacklog(1);
  const message = { kind: "sync_wallet", address: walletOf(1) } as const;
  await consume(message);
  await consume(message);
  expect(asked).toHaveLength(1);
});

test("a message from before the lease was renewed does nothing, and does not end the new lease", async () => {
  await aBacklog(1);
  const [lost] = await handOut();
  await expireLeases();
  const [again] = await handOut();
  if (lost === undefined || again === undefined) throw new Error("handed out twice");
  await consume(lost);
  expect(asked).toEqual([]);
  expect(await countLeases()).toBe(1);
  await consume(again);
  expect(asked).toHaveLength(1);
});

test("a lease is not renewed while its message may still wait", async () => {
  await aBacklog(1);
  await handOut();
  await pool.query("update work_leases set enqueued_at = enqueued_at - interval '14 minutes'");
  expect(await handOut()).toEqual([]);
});

test("a message whose reading failed keeps its lease for its next attempt", async () => {
  await aBacklog(1);
  fails = () => true;
  const [message] = await handOut();
  if (message === undefined) throw new Error("the wallet is due");
  await expect(consume(message)).rejects.toThrow(ProviderUnavailable);
  expect(await handOut()).toEqual([]);
  fails = () => false;
  await consume(message);
  expect(asked).toHaveLength(2);
  expect(await countLeases()).toBe(0);
});

test("wallets that fail for good do not keep the others out", async () => {
  await aBacklog(BOUND + 1);
  fails = () => true;
  const [first] = await handOut();
  if (first === undefined) throw new Error("wallets are due");
  await expect(consume(first)).rejects.toThrow(ProviderUnavailable);
  // As that one has failed, so do the others that were handed out.
  const { rowCount } = await pool.query(
    `update wallet_syncs s set failed_at = f.failed_at from wallet_syncs f, traders t join work_leases l on l.key = t.address
     where f.failed_at is not null and t.id = s.trader_id`,
  );
  expect(rowCount).toBe(BOUND);
  await expireLeases();
  // They rest; the one behind them has its turn.
  expect((await handOut()).map((message) => "address" in message && message.address)).toEqual([walletOf(BOUND + 1)]);
});

test("what could not be sent is handed out at the next turn", async () => {
  await aBacklog(1);
  const settings = {
    pool,
    provider,
    known: new KnownIds(),
    ahead: new PagesAhead(),
    largeTradeMinUsd: 5_000,
    backfillDays: 1,
    now: Date.now,
    hasten: () => undefined,
  };
  const enqueue = vi.fn().mockRejectedValue(new Error("the queue is away"));
  await expect(runJob("wallet_sync", { ...settings, enqueue })).rejects.toThrow("the queue is away");
  expect(await handOut()).toHaveLength(1);
});

test("wallets wait in a queue of their own, and never before markets, books, bets or holders", () => {
  expect(queueOf({ kind: "sync_wallet", address: walletOf(1) })).toBe("wallets");
  expect(queueOf({ kind: "measure_wallets", trader_ids: [1] })).toBe("wallets");
  const others: IngestMessage[] = [
    { kind: "hydrate_markets", condition_ids: ["c"] },
    { kind: "refresh_books", token_ids: ["t"] },
    { kind: "score_markets", market_ids: [1] },
    { kind: "scan_holders", market_ids: [1] },
  ];
  expect(others.map(queueOf)).toEqual(others.map(() => "ingest"));
});
