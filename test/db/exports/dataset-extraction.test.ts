import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Pool } from "@neondatabase/serverless";
import { beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { mulberry32 } from "../../../scripts/provider/simulate/random.ts";
import type { Database } from "../../../src/db/client.ts";
import { accounts } from "../../../src/db/schema.ts";
import { submitJob } from "../../../src/queries/exports/export-jobs.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database/database.ts";
import { ExportConsumer, readFileOf, stateOf, TINY_LIMITS } from "../../support/exports/export-consumer.ts";
import { FaultyArtifactStore } from "../../support/exports/faulty-artifact-store.ts";
import { watchStatements } from "../../support/exports/watch-statements.ts";
import { aPublishedLargeTrade, passHorizon } from "../../support/seed/large-trades.ts";
import { aMarket, type SeededMarket } from "../../support/seed/markets.ts";
import { aSeededTrader, type SeededTrader } from "../../support/seed/traders/traders.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const FILTERS = {
  from: "2026-11-19T00:00:00.000Z",
  to: "2026-11-21T00:00:00.000Z",
  condition_id: null,
  min_size_cents: null,
};
const TRADES = 61;

let db: Database;
let pool: Pool;
let store: FaultyArtifactStore;
let consumer: ExportConsumer;
let accountId: number;
let market: SeededMarket;
let trader: SeededTrader;
let submits = 0;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await seed();
});

beforeEach(async () => {
  ({ db } = database);
  await db.execute(sql`delete from export_jobs`);
  open();
});

/** A database of its own, for a test that adds trades. */
async function openOwn(): Promise<void> {
  database = await createTestDatabase();
  await seed();
  open();
}

function open(): void {
  pool = database.openPool();
  store = new FaultyArtifactStore(TINY_LIMITS.partBytes);
  consumer = new ExportConsumer(db, pool, store, NOW);
}

async function seed(): Promise<void> {
  ({ db } = database);
  const [account] = await db.insert(accounts).values({ email: "a@example.test", plan: "pro" }).returning();
  accountId = account?.id ?? 0;
  market = await aMarket(db);
  trader = await aSeededTrader(db);
  for (let n = 0; n < TRADES; n += 1) await aTradeAt(n);
  await passHorizon(db);
}

/** Three trades share each second, so that pages end between equal times. */
const aTradeAt = (n: number) =>
  aPublishedLargeTrade(db, {
    market,
    trader,
    tradedAt: new Date(Date.parse("2026-11-20T00:00:00Z") + Math.floor(n / 3) * 1_000),
    sizeUsdMicro: 10_000_000_000n + BigInt(n) * 1_234_567n,
    price: `0.${String(100 + n)}`,
  });

async function submit(request: Record<string, unknown> = FILTERS): Promise<number> {
  submits += 1;
  const dataset = { kind: "whale_dataset", format: "ndjson", traderId: null, reusedStates: [] } as const;
  const submitted = await submitJob(
    db,
    { accountId, request, requestKey: `submit ${submits}`, ...dataset },
    [],
    new Date(consumer.nowMs),
  );
  if (submitted.kind !== "submitted") throw new Error("the job was not submitted");
  return submitted.job.id;
}

const linesOf = (content: string) =>
  content
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const idsOf = (content: string): string[] => linesOf(content).map(({ id }) => id);

/** The rows that a dataset must have, by an own statement. */
async function expectedIds(where = sql`true`): Promise<string[]> {
  const { rows } = await db.execute(
    sql`select 'wt_' || id as id from large_trades where ${where} order by traded_at, id`,
  );
  return rows.map(({ id }) => String(id));
}

async function eventsOf(jobId: number): Promise<string[]> {
  const { rows } = await db.execute(
    sql`select type from events where account_id = ${accountId} and (payload ->> 'job_id')::int = ${jobId} order by id`,
  );
  return rows.map(({ type }) => String(type));
}

describe("an undisturbed job", () => {
  test("has every trade of the range once, in order, with hashes of both sides", async () => {
    const jobId = await submit();
    expect(await consumer.finish(jobId)).toBe("ready");
    const file = await readFileOf(db, store, jobId);
    expect(idsOf(file.content)).toEqual(await expectedIds());
    const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");
    expect(file.result).toMatchObject({
      row_count: TRADES,
      content_size_bytes: Buffer.byteLength(file.content),
      content_sha256: sha256(file.content),
      compressed_size_bytes: file.bytes.length,
      compressed_sha256: sha256(file.bytes),
    });
    expect([...store.objects.keys()]).toHaveLength(1);
    expect(store.uploads.size).toBe(0);
    expect(await eventsOf(jobId)).toEqual(["export_job_ready"]);
  });

  test("states exact decimals and the ids of other operations", async () => {
    const jobId = await submit();
    await consumer.finish(jobId);
    const [line] = linesOf((await readFileOf(db, store, jobId)).content);
    const { rows } = await db.execute(sql`select * from large_trades order by traded_at, id limit 1`);
    expect(line).toEqual({
      id: `wt_${rows[0]?.["id"]}`,
      sequence: String(rows[0]?.["id"]),
      trader_id: `trd_${trader.id}`,
      condition_id: market.conditionId,
      platform: "polymarket",
      traded_at: "2026-11-20T00:00:00.000Z",
      side: "BUY",
      outcome_index: 0,
      price: "0.100",
      size_usd: "10000.000000",
      inserted_xid: rows[0]?.["commit_xid"],
      trade_event_id: `pe_${rows[0]?.["entry_id"]}`,
      source_trade_ingested_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
  });

  test("is a valid empty file when no trade matches", async () => {
    const jobId = await submit({ ...FILTERS, min_size_cents: 99_999_999 });
    expect(await consumer.finish(jobId)).toBe("ready");
    const file = await readFileOf(db, store, jobId);
    expect(file.content).toBe("");
    expect(file.result).toMatchObject({ row_count: 0, content_size_bytes: 0 });
  });

  test("compares sizes in cents and keeps the range half-open", async () => {
    const jobId = await submit({
      ...FILTERS,
      from: "2026-11-20T00:00:02.000Z",
      to: "2026-11-20T00:00:09.000Z",
      min_size_cents: 1_001_481,
    });
    await consumer.finish(jobId);
    // Trade 12 is 10,014.814804 dollars, 1,001,481 cents.
    expect(idsOf((await readFileOf(db, store, jobId)).content)).toEqual(
      await expectedIds(sql`traded_at >= '2026-11-20T00:00:02Z' and traded_at < '2026-11-20T00:00:09Z'
        and round(size_usd_micro / 10000.0) >= 1001481`),
    );
  });
});

describe("the snapshot", () => {
  test("excludes trades that commit after its horizon, also those of transactions that were open", async () => {
    await openOwn();
    const jobId = await submit();
    const before = await expectedIds();
    await consumer.run(jobId);
    expect(await stateOf(db, jobId)).toBe("running");
    for (let n = 0; n < 12; n += 1) await aTradeAt(n);
    expect(await consumer.finish(jobId)).toBe("ready");
    expect(idsOf((await readFileOf(db, store, jobId)).content)).toEqual(before);
  });

  test("is selected again after a restore of the database, and the file has its trades", async () => {
    await openOwn();
    const jobId = await submit();
    await consumer.run(jobId);
    expect(await stateOf(db, jobId)).toBe("running");
    await aTradeAt(3);
    await db.execute(sql`insert into outbox_epoch (epoch) select max(epoch) + 1 from outbox_epoch`);
    await passHorizon(db);
    expect(await consumer.finish(jobId)).toBe("ready");
    const file = await readFileOf(db, store, jobId);
    expect(idsOf(file.content)).toEqual(await expectedIds());
    expect(file.epoch).toBe(2);
  });
});

describe("a consumer that is killed", () => {
  test("leaves a job that ends with the same bytes, wherever it dies", async () => {
    const undisturbed = await submit();
    store.steps.length = 0;
    await consumer.finish(undisturbed);
    const expected = await readFileOf(db, store, undisturbed);
    const random = mulberry32(inject("seed"));
    let survived = false;
    for (let dieAfter = 1; !survived; dieAfter += 1 + Math.floor(random() * 2)) {
      const jobId = await submit();
      let left = dieAfter;
      const step = () => {
        left -= 1;
        if (left < 0) throw new Error("killed");
      };
      store.faultOf = () => (step(), null);
      const killable = watchStatements(db, step);
      await consumer.run(jobId, { db: killable }).catch(() => undefined);
      survived = left >= 0 && (await stateOf(db, jobId)) !== "running";
      store.faultOf = () => null;
      expect(await consumer.finish(jobId)).toBe("ready");
      const file = await readFileOf(db, store, jobId);
      expect(file.bytes).toEqual(expected.bytes);
      expect(await eventsOf(jobId)).toEqual(["export_job_ready"]);
      survived ||= dieAfter > 60;
    }
    await consumer.sweep();
    const { rows } = await db.execute(sql`select object_key from export_jobs`);
    expect([...store.objects.keys()].toSorted()).toEqual(rows.map((row) => String(row["object_key"])).toSorted());
  });
});

describe("an object store", () => {
  for (const step of ["put", "start", "part", "complete", "head", "read", "list", "delete"] as const)
    for (const fault of ["refuse", "lose_answer"] as const)
      test(`is survived when it fails once at ${step}: ${fault}`, async () => {
        const jobId = await submit();
        let left = 1;
        store.faultOf = (at) => (at === step && (left -= 1) === 0 ? fault : null);
        expect(await consumer.finish(jobId)).toBe("ready");
        store.faultOf = () => null;
        expect(idsOf((await readFileOf(db, store, jobId)).content)).toEqual(await expectedIds());
        await consumer.sweep();
        expect(store.objects.size).toBe(1);
      });

  test("fails the job when it never accepts anything, and leaves no object", async () => {
    const jobId = await submit();
    store.faultOf = (step) => (step === "part" ? "refuse" : null);
    expect(await consumer.finish(jobId)).toBe("failed");
    store.faultOf = () => null;
    await consumer.sweep();
    expect(store.objects.size).toBe(0);
    expect(await eventsOf(jobId)).toEqual(["export_job_failed"]);
  });

  test("that loses a part never gives a wrong file", async () => {
    const jobId = await submit();
    let left = 2;
    store.faultOf = (step) => (step === "part" && (left -= 1) === 0 ? "lose_part" : null);
    expect(await consumer.finish(jobId)).toBe("ready");
    expect(idsOf((await readFileOf(db, store, jobId)).content)).toEqual(await expectedIds());
  });

  test("that does not say whether an upload is complete leaves the job to be reconciled", async () => {
    const jobId = await submit();
    store.faultOf = (step) => (step === "complete" ? "lose_answer" : null);
    for (let outcome = await consumer.run(jobId); outcome.kind === "again"; outcome = await consumer.run(jobId))
      if (outcome.dueAt.getTime() > consumer.nowMs) break;
    expect(await stateOf(db, jobId)).toBe("reconcile_required");
    expect(await consumer.finish(jobId)).toBe("ready");
  });
});

describe("the sweep", () => {
  test("deletes the file of an expired job, then says expired", async () => {
    const jobId = await submit();
    await consumer.finish(jobId);
    consumer.nowMs = NOW + 24 * 3_600_000;
    await consumer.sweep();
    // A clock that is a few seconds ahead deletes no file that is still served.
    expect(await stateOf(db, jobId)).toBe("ready");
    expect(store.objects.size).toBe(1);
    consumer.nowMs += 61_000;
    await consumer.sweep();
    await consumer.sweep();
    expect(await stateOf(db, jobId)).toBe("expired");
    expect(store.objects.size).toBe(0);
    expect(await eventsOf(jobId)).toEqual(["export_job_ready", "export_job_expired"]);
  });

  test("keeps the job ready while the store does not delete its file", async () => {
    const jobId = await submit();
    await consumer.finish(jobId);
    consumer.nowMs = NOW + 25 * 3_600_000;
    store.faultOf = (step) => (step === "delete" ? "refuse" : null);
    await expect(consumer.sweep()).rejects.toThrow("the store refused: delete");
    expect(await stateOf(db, jobId)).toBe("ready");
  });

  test("fails a job that was not finished within its retention", async () => {
    const jobId = await submit();
    consumer.nowMs = NOW + 24 * 3_600_000 + 61_000;
    await consumer.sweep();
    expect(await stateOf(db, jobId)).toBe("failed");
  });

  test("deletes objects that no job refers to, and rows that ended two days ago", async () => {
    const jobId = await submit();
    await consumer.finish(jobId);
    const metadata = { contentType: "text/plain", contentEncoding: null };
    for (const key of ["exports/999999/x/file", "exports/odd", `exports/${jobId}/x/tail-3`])
      await store.put(key, new Uint8Array(3), metadata);
    await consumer.sweep();
    expect(store.objects.size).toBe(1);
    consumer.nowMs = NOW + 24 * 3_600_000 + 61_000;
    await consumer.sweep();
    consumer.nowMs += 48 * 3_600_000;
    await consumer.sweep();
    const { rows } = await db.execute(sql`select count(*)::int as jobs from export_jobs`);
    expect(rows[0]).toEqual({ jobs: 0 });
  });
});
