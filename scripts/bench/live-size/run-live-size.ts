import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Age } from "../../../src/measure-minute.ts";
import { startBenchServices, type BenchServices } from "../bench-services.ts";
import { findKeptHistory, keepHistory, postgresDirOf, type KeptHistory } from "./history/kept-history.ts";
import { LOADED_WALKS, loadHistory } from "./history/load-history.ts";
import { addressOf, MarketShapes } from "./history/market-shapes.ts";
import { systemClock } from "../../../src/lib/timing/clock.ts";
import { recompute } from "../../recompute/recompute.ts";
import { carryOutFaults, type Recovery } from "./live-faults.ts";
import { megabytes } from "./judge-bars.ts";
import { burstOf, type LiveSize } from "./live-size.ts";
import { LiveCatalog } from "./provider/live-catalog.ts";
import { tradesOf } from "./provider/live-trades.ts";
import { forkLiveProvider, type ProviderChild } from "./provider/provider-child.ts";
import type { BudgetName, WindowCounts } from "./provider/request-windows.ts";
import { executionsBy, ROWS_OF_EXECUTION } from "./provider/trade-schedule.ts";
import { compareRows, type LedgerRow, type RowComparison } from "./samples/compare-rows.ts";
import { computeLags, countLiveRows, readTiers, selectLiveRows, type Lags, type Tiers } from "./samples/lags.ts";
import type { LedgerLockTimes } from "./samples/ledger-lock-times.ts";
import { ReopenedClient } from "./samples/reopened-client.ts";
import { DatabaseSampler, type DatabaseSample } from "./samples/sample-database.ts";
import {
  createStatementView,
  readStatements,
  resetStatements,
  SAMPLED_POSTGRES,
  type WorkFigures,
} from "./samples/statement-figures.ts";
import { startProduct, type StartedProduct } from "./started-product.ts";

export interface Sample {
  readonly elapsedMs: number;
  readonly database: DatabaseSample;
  readonly requests: Partial<Record<BudgetName, WindowCounts>>;
  readonly ages: readonly Age[];
  readonly memoryBytes: number | null;
}

export interface LiveRun {
  readonly size: LiveSize;
  readonly samples: readonly Sample[];
  readonly lags: Lags;
  readonly works: readonly WorkFigures[];
  /** While the product ran under the trades. */
  readonly ledgerLock: readonly LedgerLockTimes[];
  readonly requests: Partial<Record<BudgetName, WindowCounts>>;
  readonly rows: RowComparison;
  /** Followed traders by tier, at the end. */
  readonly tiers: Tiers;
  readonly recoveries: readonly Recovery[];
  /** Figures that differ from a recompute of all traders, after a run with faults; null without any. */
  readonly differences: number | null;
}

export interface RunSettings {
  readonly print: (line: string) => void;
  readonly onSample: (sample: Sample) => void;
  readonly onRun: (run: LiveRun) => void;
  /** Where the history is, or is loaded to, with what earlier runs have added; null deletes it at the end. */
  readonly dataDir: string | null;
  /** The product has this long before the first trades, so that its jobs have read what was loaded. */
  readonly warmUpMs: number;
}

/** The same in later phases, in which the jobs have nothing to read at once. */
const LATER_WARM_UP_MS = 60_000;

const SAMPLE_EVERY_MS = 10_000;
const FIRST_READS_MS = 1_200_000;
/** How long the jobs may take for what was loaded. */
const LOADED_WORK_MS = 1_200_000;
const LATE_TRADER_SECONDS = 60;
/** Works that are printed before the trades, by their WAL. */
const EARLY_WORKS = 5;
/** How long the last rows may take after the end. */
const DRAIN_MS = 120_000;

/**
 * Loads the history, runs the product while the provider has trades, and reads what happened: once for each phase. A
 * provider knows the trades of its phase alone, as it does not know those of the history.
 *
 * @param phases one or more, of the same history
 */
export async function runLiveSize(phases: readonly LiveSize[], settings: RunSettings): Promise<void> {
  const [size] = phases;
  if (size === undefined) throw new Error("a run has at least one phase");
  const { dataDir } = settings;
  const known = dataDir === null ? null : findKeptHistory(dataDir, size);
  const services = await startBenchServices(dataDir === null ? null : postgresDirOf(dataDir), SAMPLED_POSTGRES);
  try {
    const history = known ?? (await loadNewHistory(size, services, settings.print));
    const shapes = new MarketShapes(size.markets, history.historyEndMs);
    for (const [index, phase] of phases.entries()) {
      const begun = history.phases + index;
      // A phase that ends early has written some of its transactions too.
      if (dataDir !== null) keepHistory(dataDir, { ...history, phases: begun + 1 });
      settings.onRun(await runPhase({ ...phase, phase: begun }, services, shapes, settings));
    }
  } finally {
    await services.stop();
  }
}

async function loadNewHistory(
  { markets, traders, fills }: LiveSize,
  { databaseUrl, variables }: BenchServices,
  print: (line: string) => void,
): Promise<KeptHistory> {
  const historyEndMs = Math.floor(Date.now() / 1_000) * 1_000;
  await createStatementView(databaseUrl);
  await loadHistory(databaseUrl, { markets, traders, fills }, new MarketShapes(markets, historyEndMs), {
    largeTradeMinUsd: Number(variables["LARGE_TRADE_MIN_USD"]),
    print,
  });
  return { markets, traders, fills, historyEndMs, phases: 0 };
}

async function runPhase(
  size: LiveSize,
  services: BenchServices,
  shapes: MarketShapes,
  settings: RunSettings,
): Promise<LiveRun> {
  let provider: ProviderChild | null = null;
  let product: StartedProduct | null = null;
  try {
    await resetStatements(services.databaseUrl);
    await dropQueuedWork(services.databaseUrl);
    provider = await forkLiveProvider(size, shapes.nowMs);
    product = await startProduct(services, provider.url, size);
    const warmUpMs = size.phase === 0 ? settings.warmUpMs : Math.min(LATER_WARM_UP_MS, settings.warmUpMs);
    settings.print(`the product runs; trades begin in ${warmUpMs / 1_000} s or after the first reads of all markets`);
    await sleep(warmUpMs);
    await waitForFirstReads(services.databaseUrl);
    await waitForPromises(product, services.databaseUrl, settings.print);
    const early = await readStatements(services.databaseUrl);
    for (const { work, walBytes } of early.slice(0, EARLY_WORKS))
      settings.print(`WAL before the trades: ${work} ${megabytes(walBytes)}`);
    return await measure(size, shapes, { services, provider, product }, settings);
  } finally {
    await product?.stop();
    provider?.stop();
  }
}

/** The simulated queues of an earlier phase are gone with their messages, so nothing will end the leases of these. */
async function dropQueuedWork(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("delete from work_leases");
  } finally {
    await client.end();
  }
}

/**
 * The first exploration list has every loaded market, and the first walk over the open markets writes the quotes of all.
 * Without this wait the figures would have as much of both as falls into them.
 */
async function waitForFirstReads(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: "live_size_first_reads" });
  await client.connect();
  try {
    for (const endsAt = Date.now() + FIRST_READS_MS; ; await sleep(1_000)) {
      const { rows } = await client.query(
        `select from list_generations, ingest_checkpoints
         where list = 'explore' and feed = 'markets' and (state ->> 'walks')::int > ${LOADED_WALKS} limit 1`,
      );
      if (rows.length > 0) return;
      if (Date.now() > endsAt) throw new Error("the product has not listed or not read all markets");
    }
  } finally {
    await client.end();
  }
}

/**
 * Until the jobs have worked off what was loaded, or what became due while no product ran: every list and job is within its
 * promise, and no followed trader has been due for long. Otherwise the run says which is not.
 */
async function waitForPromises(
  { readAges }: StartedProduct,
  databaseUrl: string,
  print: (line: string) => void,
): Promise<void> {
  const startedAt = Date.now();
  for (let late = ""; ; await sleep(SAMPLE_EVERY_MS)) {
    const ages = (await readAges()).flatMap(({ of, age_ms, allowed_ms }) => (age_ms > allowed_ms ? [of] : []));
    const now = [...ages, ...((await hasLateTrader(databaseUrl)) ? ["traders to read"] : [])].join(", ");
    if (now === "" || Date.now() > startedAt + LOADED_WORK_MS) {
      const seconds = Math.round((Date.now() - startedAt) / 1_000);
      print(
        now === ""
          ? `trades begin after ${seconds} s in which the jobs worked off the loaded history`
          : `trades begin after ${seconds} s although these are too old: ${now}`,
      );
      return;
    }
    if (now !== late) print(`still too old: ${now}`);
    late = now;
  }
}

async function hasLateTrader(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select from trader_syncs where due_at < now() - make_interval(secs => ${LATE_TRADER_SECONDS}) limit 1`,
    );
    return rows.length > 0;
  } finally {
    await client.end();
  }
}

interface Started {
  readonly services: BenchServices;
  readonly provider: ProviderChild;
  readonly product: StartedProduct;
}

async function measure(
  size: LiveSize,
  shapes: MarketShapes,
  { services: { databaseUrl, postgres }, provider, product }: Started,
  { onSample, print }: RunSettings,
): Promise<LiveRun> {
  const before = await readTiers(databaseUrl);
  const beginSeconds = Math.ceil(Date.now() / 1_000) + 1;
  const sampler = new DatabaseSampler(databaseUrl, new Date(beginSeconds * 1_000));
  const client = new ReopenedClient(databaseUrl, "live_size_rows");
  try {
    await resetStatements(databaseUrl);
    provider.begin(beginSeconds);
    const samples: Sample[] = [];
    const lastMs = size.minutes * 60_000;
    const countRows = async () => (await client.query<{ rows: number }>(countLiveRows(size.phase)))[0]?.rows ?? 0;
    const faults = carryOutFaults(size, beginSeconds * 1_000, beginSeconds * 1_000 + lastMs + DRAIN_MS, {
      ...{ provider, postgres, countRows, clock: systemClock },
    });
    faults.catch(() => undefined);
    for (let elapsedMs = SAMPLE_EVERY_MS; elapsedMs <= lastMs; elapsedMs += SAMPLE_EVERY_MS) {
      await sleep(Math.max(0, beginSeconds * 1_000 + elapsedMs - Date.now()));
      const database = await sampler.take();
      // Postgres may be away.
      const ages = await product.readAges().catch(() => []);
      const sample = {
        ...{ elapsedMs, database, ages },
        requests: await provider.readRequests(),
        memoryBytes: product.readMemoryBytes(),
      };
      samples.push(sample);
      onSample(sample);
    }
    const nowMs = Date.now();
    const works = await readStatements(databaseUrl);
    const ledgerLock = sampler.readLedgerLock();
    const executions = executionsBy(lastMs, size);
    print(`${executions * ROWS_OF_EXECUTION} rows were traded; waiting for the last ones`);
    const stored = await waitForRows(client, size.phase, executions * ROWS_OF_EXECUTION);
    const recoveries = await faults;
    const observed = await provider.readObservations();
    const after = await readTiers(databaseUrl);
    const markets = new LiveCatalog(shapes);
    const traded = { shapes, open: markets.open, combinations: markets.combinations };
    const sent = Array.from({ length: executions }, (_, n) => tradesOf(n, size, beginSeconds, traded)).flat();
    return {
      ...{ size, samples, works, ledgerLock, recoveries, tiers: after, requests: await provider.readRequests() },
      differences: size.faults.length === 0 ? null : await countDifferences(databaseUrl),
      lags: computeLags(
        stored.map(({ tx, role, recorded, seconds }) => ({
          ...{ tx, recorded, atSeconds: seconds },
          role: role === "taker" ? "taker" : "maker",
        })),
        await sampler.readCommits(),
        observed,
        { before, after, nowMs },
      ),
      rows: compareRows(sent, stored, addressOf),
    };
  } finally {
    await client.end();
    await sampler.end();
  }
}

/** The stored rows of live transactions, once they are all there with their roles, or when the time for it is over. */
async function waitForRows(client: ReopenedClient, phase: number, expected: number): Promise<readonly LedgerRow[]> {
  for (const endsAt = Date.now() + DRAIN_MS; ; await sleep(2_000)) {
    const rows = await client.query<LedgerRow>(selectLiveRows(phase));
    const takers = rows.filter(({ role }) => role === "taker").length;
    const isComplete = rows.length >= expected && takers * ROWS_OF_EXECUTION >= expected;
    if (isComplete || Date.now() > endsAt) return rows;
  }
}

/** Figures of all traders that differ from a recompute, while the product goes on. */
async function countDifferences(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await recompute(client, { verify: true, onDifference: () => undefined })).differences;
  } finally {
    await client.end();
  }
}

/** The samples after the burst. */
export const afterBurst = ({ samples, size }: Pick<LiveRun, "samples" | "size">): readonly Sample[] =>
  samples.filter(({ elapsedMs }) => elapsedMs > burstOf(size).toMs);
