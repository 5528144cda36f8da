import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { parsePrice } from "./decimal.ts";
import { foldPosition, utcDay, type Entry, type AuditPosition } from "./fold.ts";
import type { MarketFacts, PricedTrade } from "./price.ts";
import {
  readActivity,
  readEntries,
  readFeeSums,
  readLargeTrades,
  readMarkets,
  readTraderFacts,
  type LargeTradeFacts,
} from "./ledger-rows.ts";
import type { TraderFacts } from "./ledger-rows.ts";

/** The folded ledger of one trader. */
export interface TraderFold {
  /** By outcome id. */
  readonly positions: ReadonlyMap<number, AuditPosition>;
  /** Dollars by UTC day. */
  readonly rebates: ReadonlyMap<string, bigint>;
  readonly rewards: ReadonlyMap<string, bigint>;
}

const EMPTY_BOOK: TraderFold = { positions: new Map(), rebates: new Map(), rewards: new Map() };

/** Fills below a hundredth of a share set no price. */
const DUST_SHARES = 10_000n;

/** More than the 86 that a list of a minute's age covers: polls are at least 0.7 s apart. */
const MOMENTS_KEPT = 120;

/** The history of a value by key, each version with the poll that first read it. */
class Versions<T> {
  readonly #byKey = new Map<number, { poll: number; value: T }[]>();

  set(key: number, poll: number, value: T): void {
    const versions = this.#byKey.get(key);
    if (versions === undefined) this.#byKey.set(key, [{ poll, value }]);
    else versions.push({ poll, value });
  }

  at(key: number, poll: number): T | undefined {
    return this.#byKey.get(key)?.findLast((version) => version.poll <= poll)?.value;
  }

  latest(key: number): T | undefined {
    return this.#byKey.get(key)?.at(-1)?.value;
  }

  keys(): number[] {
    return [...this.#byKey.keys()];
  }
}

interface SeenFill {
  readonly poll: number;
  readonly entry: Entry;
}

/** The raw tables as one poll read them, in one database snapshot. */
export interface LedgerSnapshot {
  readonly atMs: number;
  readonly marketIds: readonly number[];
  readonly traderIds: readonly number[];
  market(id: number): MarketFacts | undefined;
  marketOf(conditionId: string): MarketFacts | undefined;
  trader(id: number): TraderFacts | undefined;
  fold(traderId: number): TraderFold;
  /** The traders with an entry in the market, at any time. */
  tradersIn(marketId: number): readonly number[];
  newestFill(outcomeId: number): PricedTrade | null;
  /** Fills of an outcome that set a price, in order. */
  pricedFills(outcomeId: number): readonly Entry[];
  /** Purchases and sales of one trader in an outcome, in no order. */
  fillsOf(traderId: number, outcomeId: number): readonly Entry[];
  largeTrades(): readonly LargeTradeFacts[];
  largeTradesIn(marketId: number): readonly LargeTradeFacts[];
}

/**
 * An in-memory mirror of the ledger's raw tables, with their versions at every poll: a response is compared
 * with each moment that it may show. It reads `ledger_entries`, `trader_activity`, `markets`, `outcomes`,
 * `traders`, `trader_syncs` and `large_trades`, and none of the tables that are folded from them.
 */
export class LedgerMirror {
  readonly #pool: pg.Pool;
  readonly #polls: number[] = [];
  readonly #markets = new Versions<MarketFacts>();
  readonly #marketText = new Map<number, string>();
  readonly #traderFacts = new Versions<TraderFacts>();
  readonly #traderText = new Map<number, string>();
  readonly #books = new Versions<TraderFold>();
  readonly #newestFill = new Versions<Entry>();
  readonly #entries = new Map<number, Map<number, Entry[]>>();
  readonly #feeCounts = new Map<number, string>();
  readonly #fills = new Map<number, SeenFill[]>();
  readonly #tradersByMarket = new Map<number, Set<number>>();
  readonly #largeTrades: { poll: number; trade: LargeTradeFacts }[] = [];
  readonly #moments = new Map<number, LedgerSnapshot>();
  #lastEntry = 0;
  #lastActivity = 0;
  #lastLargeTrade = 0;
  #stopped = false;
  #loop: Promise<void> | null = null;
  #failure: unknown = null;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Reads everything once, then polls until `stop`. */
  async start(): Promise<void> {
    await this.#poll();
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const startedAt = Date.now();
      try {
        await this.#poll();
      } catch (error) {
        this.#failure = error;
        return;
      }
      // Limits polling to a third of the time, also on a database where one poll takes long.
      await sleep(Math.max(700, 2 * (Date.now() - startedAt)));
    }
  }

  /** `momentsIn`, once a poll after `toMs` has been read. */
  async between(fromMs: number, toMs: number): Promise<LedgerSnapshot[]> {
    while ((this.#polls.at(-1) ?? 0) <= toMs) {
      if (this.#failure !== null) throw this.#failure;
      await sleep(100);
    }
    return this.momentsIn(fromMs, toMs);
  }

  /**
   * The moments between two times and the two just outside, as far as they have been read. Without a moment before
   * `fromMs` it starts at the first one.
   */
  momentsIn(fromMs: number, toMs: number): LedgerSnapshot[] {
    const first = Math.max(
      0,
      this.#polls.findLastIndex((ms) => ms <= fromMs),
    );
    const after = this.#polls.findIndex((ms) => ms > toMs);
    const last = after === -1 ? this.#polls.length - 1 : after;
    return Array.from({ length: last - first + 1 }, (_, n) => this.#momentAt(first + n));
  }

  /** The newest moment. */
  now(): LedgerSnapshot {
    return this.#momentAt(this.#polls.length - 1);
  }

  get startedMs(): number {
    return this.#polls[0] ?? Infinity;
  }

  #momentAt(poll: number): LedgerSnapshot {
    const known = this.#moments.get(poll);
    if (known !== undefined) return known;
    const moment = this.#createMoment(poll);
    this.#moments.set(poll, moment);
    // Folds are cached with their moment, so the number of moments is bounded.
    for (const old of this.#moments.keys()) {
      if (this.#moments.size <= MOMENTS_KEPT) break;
      this.#moments.delete(old);
    }
    return moment;
  }

  #createMoment(poll: number): LedgerSnapshot {
    const marketIds = this.#markets.keys().filter((id) => this.#markets.at(id, poll) !== undefined);
    const byCondition = new Map(
      marketIds.flatMap((id) => this.#markets.at(id, poll) ?? []).map((market) => [market.conditionId, market]),
    );
    const largeTrades = this.#largeTrades.flatMap(({ poll: seen, trade }) => (seen <= poll ? [trade] : []));
    const tradesByMarket = Map.groupBy(largeTrades, ({ marketId }) => marketId);
    return {
      atMs: this.#polls[poll] ?? 0,
      marketIds,
      traderIds: this.#traderFacts.keys().filter((id) => this.#traderFacts.at(id, poll) !== undefined),
      market: (id) => this.#markets.at(id, poll),
      marketOf: (conditionId) => byCondition.get(conditionId),
      trader: (id) => this.#traderFacts.at(id, poll),
      fold: (id) => this.#books.at(id, poll) ?? EMPTY_BOOK,
      tradersIn: (id) => [...(this.#tradersByMarket.get(id) ?? [])],
      newestFill: (id) => this.#newestFill.at(id, poll) ?? null,
      pricedFills: (id) =>
        (this.#fills.get(id) ?? [])
          .flatMap((seen) => (seen.poll <= poll ? [seen.entry] : []))
          .sort((a, b) => (isLater(a, b) ? 1 : -1)),
      fillsOf: (traderId, outcomeId) =>
        (this.#entries.get(traderId)?.get(outcomeId) ?? []).filter(
          ({ kind, recordedMs }) => (kind === "buy" || kind === "sell") && recordedMs <= (this.#polls[poll] ?? 0),
        ),
      largeTrades: () => largeTrades,
      largeTradesIn: (id) => tradesByMarket.get(id) ?? [],
    };
  }

  async #poll(): Promise<void> {
    const client = await this.#pool.connect();
    try {
      await client.query("begin isolation level repeatable read read only");
      const { rows } = await client.query<{ ms: number }>(
        "select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms",
      );
      const poll = this.#polls.length;
      await this.#readEntries(client, poll);
      await this.#readMarkets(client, poll);
      for (const wallet of await readTraderFacts(client)) {
        const text = JSON.stringify(wallet);
        if (this.#traderText.get(wallet.id) === text) continue;
        this.#traderText.set(wallet.id, text);
        this.#traderFacts.set(wallet.id, poll, wallet);
      }
      for (const trade of await readLargeTrades(client, this.#lastLargeTrade)) {
        this.#largeTrades.push({ poll, trade });
        this.#lastLargeTrade = Math.max(this.#lastLargeTrade, trade.id);
      }
      await client.query("commit");
      this.#polls.push(rows[0]?.ms ?? 0);
    } finally {
      client.release();
    }
  }

  async #readMarkets(client: pg.ClientBase, poll: number): Promise<void> {
    for (const market of await readMarkets(client)) {
      const text = JSON.stringify(market);
      if (this.#marketText.get(market.id) === text) continue;
      this.#marketText.set(market.id, text);
      this.#markets.set(market.id, poll, market);
    }
  }

  async #readEntries(client: pg.ClientBase, poll: number): Promise<void> {
    const touched = new Map<number, Set<number>>();
    const touch = ({ traderId, outcomeId }: Entry) => {
      const outcomes = touched.get(traderId);
      if (outcomes === undefined) touched.set(traderId, new Set([outcomeId]));
      else outcomes.add(outcomeId);
    };
    for (const entry of await readEntries(client, { after: this.#lastEntry })) {
      this.#lastEntry = Math.max(this.#lastEntry, entry.id);
      this.#entriesOf(entry).push(entry);
      this.#noteFill(entry, poll);
      touch(entry);
    }
    // A fee may be added to an entry that is already recorded.
    const changed = (await readFeeSums(client)).filter(({ traderId, text }) => this.#feeCounts.get(traderId) !== text);
    for (const { traderId, text } of changed) this.#feeCounts.set(traderId, text);
    if (poll > 0 && changed.length > 0) {
      const wallets = changed.map(({ traderId }) => traderId);
      for (const id of wallets) this.#entries.delete(id);
      for (const entry of await readEntries(client, { wallets })) {
        this.#entriesOf(entry).push(entry);
        touch(entry);
      }
    }
    const activity = Map.groupBy(await readActivity(client, this.#lastActivity), ({ traderId }) => traderId);
    for (const traderId of new Set([...touched.keys(), ...activity.keys()])) {
      const before = this.#books.latest(traderId) ?? EMPTY_BOOK;
      const holdings = new Map(before.positions);
      for (const outcomeId of touched.get(traderId) ?? []) {
        holdings.set(outcomeId, foldPosition(this.#entries.get(traderId)?.get(outcomeId) ?? []));
      }
      const [rebates, rewards] = [new Map(before.rebates), new Map(before.rewards)];
      for (const { id, kind, usd, atMs } of activity.get(traderId) ?? []) {
        this.#lastActivity = Math.max(this.#lastActivity, id);
        const sums = kind === "rebate" ? rebates : rewards;
        sums.set(utcDay(atMs), (sums.get(utcDay(atMs)) ?? 0n) + usd);
      }
      this.#books.set(traderId, poll, { positions: holdings, rebates, rewards });
    }
  }

  #entriesOf({ traderId, outcomeId }: Entry): Entry[] {
    const ofTrader = this.#entries.get(traderId) ?? new Map<number, Entry[]>();
    this.#entries.set(traderId, ofTrader);
    const entries = ofTrader.get(outcomeId) ?? [];
    ofTrader.set(outcomeId, entries);
    return entries;
  }

  #noteFill(entry: Entry, poll: number): void {
    const traders = this.#tradersByMarket.get(entry.marketId);
    if (traders === undefined) this.#tradersByMarket.set(entry.marketId, new Set([entry.traderId]));
    else traders.add(entry.traderId);
    if ((entry.kind !== "buy" && entry.kind !== "sell") || entry.shares < DUST_SHARES) return;
    const fills = this.#fills.get(entry.outcomeId);
    if (fills === undefined) this.#fills.set(entry.outcomeId, [{ poll, entry }]);
    else fills.push({ poll, entry });
    const newest = this.#newestFill.latest(entry.outcomeId);
    if (newest === undefined || isLater(entry, newest)) this.#newestFill.set(entry.outcomeId, poll, entry);
  }
}

/** Orders fills of the same second by transaction, then by price. */
function isLater(a: Entry, b: Entry): boolean {
  if (a.atMs !== b.atMs) return a.atMs > b.atMs;
  if (a.txHash !== b.txHash) return a.txHash > b.txHash;
  return parsePrice(a.price) > parsePrice(b.price);
}
