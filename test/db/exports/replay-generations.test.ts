import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { beforeAll, expect, inject, test } from "vitest";
import { createRandom, type Random } from "../../../scripts/provider/simulate/random.ts";
import type { Database } from "../../../src/db/client.ts";
import { accounts } from "../../../src/db/schema.ts";
import type { Config } from "../../../src/config.ts";
import type { DatasetFilters } from "../../../src/domain/exports/dataset-range.ts";
import { presentDataset } from "../../../src/operations/datasets/present-dataset.ts";
import { getEventReplaySince } from "../../../src/operations/events/get-event-replay-since.ts";
import { findExportJob, submitJob } from "../../../src/queries/exports/export-jobs.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database/database.ts";
import { ExportConsumer, readFileOf } from "../../support/exports/export-consumer.ts";
import { FaultyArtifactStore } from "../../support/exports/faulty-artifact-store.ts";
import { writeTrades } from "../../support/exports/trade-writers.ts";
import { passHorizon } from "../../support/seed/large-trades.ts";
import { aMarket, type SeededMarket } from "../../support/seed/markets.ts";
import { aSeededTrader } from "../../support/seed/traders/traders.ts";
import { sized } from "../../support/sized.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const DAYS = [Date.parse("2026-11-18T00:00:00Z"), Date.parse("2026-11-21T00:00:00Z")] as const;
const ROUNDS = sized({ short: 8, full: 20 });
const GENERATIONS = 10;
const WRITERS = 5;
// A file of a few dozen trades takes several pages and runs, between which writers commit.
const LIMITS = { rows: 40, ms: 240_000, pageRows: 20, partBytes: 2_000 };

// The operation reads only the secret of its cursors.
const CONFIG = { cursorKeys: { current: "a-cursor-secret-of-at-least-32-bytes", previous: [] } } as unknown as Config;

let database: TestDatabase;
let db: Database;
let accountId: number;
let markets: readonly SeededMarket[];

beforeAll(async () => {
  database = await createTestDatabase();
  ({ db } = database);
  const [account] = await db.insert(accounts).values({ email: "owner@example.test", plan: "pro" }).returning();
  accountId = account?.id ?? 0;
  markets = [await aMarket(db), await aMarket(db), await aMarket(db)];
});

/** A trade as the file and the replay state it: price and size by its id. */
type Trades = Map<string, string>;

interface Generation {
  readonly filters: DatasetFilters;
  readonly continuation: {
    readonly cursor: string;
    readonly condition_id: string | null;
    readonly min_size: string | null;
  };
  readonly file: readonly (readonly [id: string, trade: string])[];
  /** The trades that had committed before it was extracted. */
  readonly visible: ReadonlySet<number>;
}

test(
  `${ROUNDS * GENERATIONS} datasets, each with the replay from its continuation, have every trade once`,
  { timeout: 240_000 },
  async () => {
    const seed = inject("seed");
    const random = createRandom("replay generations", seed);
    const trader = await aSeededTrader(db);
    const store = new FaultyArtifactStore(LIMITS.partBytes);
    const consumer = new ExportConsumer(db, database.openPool(), store, NOW, LIMITS);
    const writerPools = Array.from({ length: WRITERS }, () => database.openPool());
    const faults: string[] = [];
    let replayed = 0;
    let lateCommits = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      // Rounds start without trades, so that replays stay short.
      for (const table of ["events", "large_trades", "ledger_entries"])
        await db.execute(sql.raw(`delete from ${table}`));
      let isOver = false;
      const writers = Promise.all(
        writerPools.map((pool, writer) =>
          writeTrades(pool, createRandom("writer", seed, round, writer), {
            markets,
            trader,
            isOver: () => isOver,
            days: DAYS,
          }),
        ),
      );
      const generations: Generation[] = [];
      for (let n = 0; n < GENERATIONS; n += 1) {
        await sleep(random.integer(0, 10));
        generations.push(await extract(consumer, store, drawFilters(random)));
      }
      isOver = true;
      await writers;
      await passHorizon(db);
      for (const generation of generations) {
        const replay = await readReplay(generation);
        replayed += replay.size;
        const { visible } = generation;
        const newest = Math.max(...visible);
        lateCommits += [...replay.keys()].map(numberOf).filter((id) => id < newest && !visible.has(id)).length;
        faults.push(...(await compareWithTruth(generation, replay)));
      }
    }
    expect(faults).toEqual([]);
    // The replays had trades of their own, also such that committed after trades with greater ids.
    expect(replayed).toBeGreaterThan(GENERATIONS * ROUNDS);
    expect(lateCommits).toBeGreaterThan(ROUNDS);
  },
);

const numberOf = (id: string): number => Number(id.slice("wt_".length));

function drawFilters(random: Random): DatasetFilters {
  const [from, to] = [random.integer(...DAYS), random.integer(...DAYS)].toSorted((a, b) => a - b);
  return {
    from: new Date(random.chance(0.3) ? DAYS[0] : (from ?? 0)).toISOString(),
    to: new Date(random.chance(0.3) ? DAYS[1] : (to ?? 0) + 1).toISOString(),
    condition_id: random.chance(0.3) ? random.pick(markets).conditionId : null,
    min_size_cents: random.chance(0.4) ? random.integer(500_000, 3_000_000) : null,
  };
}

/** Submits a dataset, runs it to its end, and reads its file and its status as its owner does. */
async function extract(
  consumer: ExportConsumer,
  store: FaultyArtifactStore,
  filters: DatasetFilters,
): Promise<Generation> {
  const submitted = await submitJob(
    db,
    {
      accountId,
      kind: "whale_dataset",
      traderId: null,
      format: "ndjson",
      request: filters,
      requestKey: "",
      reusedStates: [],
    },
    [],
    new Date(NOW),
  );
  if (submitted.kind !== "submitted") throw new Error("the job was not submitted");
  const jobId = submitted.job.id;
  const { rows } = await db.execute(sql`select id::int as id from large_trades`);
  await consumer.runAll(jobId);
  const { content } = await readFileOf(db, store, jobId);
  const ref = { accountId, id: jobId, kind: "whale_dataset", traderId: null } as const;
  const job = await findExportJob(db, ref, new Date(NOW));
  if (job === null) throw new Error(`there is no job ${jobId}`);
  const { artifact } = await presentDataset(job, { config: CONFIG, now: new Date(NOW) });
  const continuation = artifact?.manifest?.generation.continuation;
  if (continuation === undefined) throw new Error(`the job ${jobId} has no continuation`);
  const file = content
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .map(({ id, price, size_usd }) => [String(id), formOf(price, size_usd)] as const);
  return { filters, continuation, file, visible: new Set(rows.map(({ id }) => Number(id))) };
}

/** In whole dollars: the replay truncates sizes to cents. */
const formOf = (price: unknown, sizeUsd: unknown): string => `${Number(price)} ${Math.floor(Number(sizeUsd))}`;

/** Reads the event feed from the continuation to its end, with the filters that it names. */
async function readReplay({ filters, continuation }: Generation): Promise<Trades> {
  if (getEventReplaySince.kind !== "single") throw new Error("the operation has another kind");
  const trades: Trades = new Map();
  let cursor = continuation.cursor;
  for (let hasMore = true; hasMore;) {
    if (getEventReplaySince.kind !== "single") throw new Error("the event feed has another kind");
    const page = await getEventReplaySince.handle(
      {
        params: {},
        query: {
          ...{ cursor, limit: 100, trader: null, min_grade: null, expand: ["trade"] },
          ...{ condition_id: continuation.condition_id, wallet: null, watchlist: null },
          min_size: continuation.min_size === null ? null : Number(continuation.min_size),
        },
      } as never,
      { db, config: CONFIG } as never,
    );
    for (const { payload, trade } of page.data as any[]) {
      // The replay has trades of any time.
      const tradedAt = Date.parse(trade.traded_at);
      if (tradedAt >= Date.parse(filters.from) && tradedAt < Date.parse(filters.to))
        trades.set(`wt_${payload.whale_alert_id}`, formOf(trade.price, trade.size_usd));
    }
    const { has_more, next_cursor } = page.topLevel as { has_more: boolean; next_cursor: string };
    [hasMore, cursor] = [has_more, next_cursor];
  }
  return trades;
}

async function compareWithTruth(generation: Generation, replay: Trades): Promise<string[]> {
  const { file, filters } = generation;
  const { rows } = await db.execute(sql`
    select 'wt_' || l.id as id, l.price::text as price, (l.size_usd_micro / 1000000.0)::text as size_usd
    from large_trades l join markets m on m.id = l.market_id
    where l.traded_at >= ${filters.from}::timestamptz and l.traded_at < ${filters.to}::timestamptz
      and (${filters.condition_id}::text is null or m.condition_id = ${filters.condition_id})
      and (${filters.min_size_cents}::bigint is null or round(l.size_usd_micro / 10000.0) >= ${filters.min_size_cents}::bigint)`);
  const truth = new Map(rows.map(({ id, price, size_usd }) => [String(id), formOf(price, size_usd)]));
  const found = new Map([...file, ...replay]);
  const where = `${JSON.stringify(filters)}: `;
  return [
    ...[...truth]
      .filter(([id, form]) => found.get(id) !== form)
      .map(([id, form]) => `${where}${id} is ${found.get(id) ?? "missing"} instead of ${form}`),
    ...[...found.keys()].filter((id) => !truth.has(id)).map((id) => `${where}${id} is in no transaction`),
    ...(new Set(file.map(([id]) => id)).size === file.length ? [] : [`${where}the file has a trade twice`]),
  ];
}
