import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { inTransaction, sessionOf } from "../../src/db/client.ts";
import { markets } from "../../src/db/schema.ts";
import { array, selectRows } from "../../src/db/sql.ts";
import { applyActivityPage } from "../../src/ingest/traders/apply-activity-page.ts";
import { applyMarkets } from "../../src/ingest/markets/apply-markets.ts";
import { applyResolutions } from "../../src/ingest/markets/apply-resolutions.ts";
import { applyTradePage } from "../../src/ingest/feeds/apply-trade-page.ts";
import { bookPendingConversions } from "../../src/ingest/traders/conversions/book-pending-conversions.ts";
import type { OrdinalCarry } from "../../src/ingest/feeds/row-ordinals.ts";
import { RowIdCache } from "../../src/ingest/feeds/row-id-cache.ts";
import { NEW_FEED } from "../../src/ingest/feeds/trade-walk-state.ts";
import type {
  ProviderPage,
  ProviderActivity,
  ProviderMarket,
  ProviderResolution,
  ProviderTrade,
  TradeFeed,
} from "../../src/platform/provider.ts";
import { createRandom, type Random } from "../provider/simulate/random.ts";
import { conditionOf, questionsOf } from "./named-objects.ts";
import type { RandomHistory, Transaction } from "./random-history.ts";

/** The provider functions that ingest calls here. */
const PROVIDER = {
  findMarkets: async () => ({ rows: [], nextCursor: null, quarantined: [] }),
  findQuestions: async (event: string) => questionsOf(Number(event)).map(conditionOf),
};

/** The floor of large trades, low enough that every page has some. */
const LARGE_TRADE_MIN_USD = 5_000;
const MOST_ROWS = 1_000;
/** Each reading settles conversions of fifty events, and a history of a million fills has 200. */
const ENOUGH_READINGS = 5;

/**
 * Feeds a history to the product's own apply functions, in an order drawn from `split`: pages of any length,
 * walks that overlap and repeat pages, transactions that arrive rounds late, feeds in any order, activity
 * read at intervals, resolutions reported late, processes that lose their caches. Conversions are booked when
 * a trader's rows so far have been read. Two runs of one history must end in the same state.
 *
 * @returns the number of rows in all pages, repeats included
 */
export async function ingestHistory(
  pool: Pool,
  history: RandomHistory,
  split: number,
  onRound: (round: number) => void,
): Promise<number> {
  const random = createRandom("telling", split);
  const ingest = new IngestProcess(pool, random);
  await ingest.markets(history.marketsAtFirst);
  const late: { transaction: Transaction; round: number }[] = [];
  const unread = new Map<string, ProviderActivity[]>();
  const rulings: ProviderResolution[] = [];
  let before: readonly Transaction[] = [];
  for (let index = 0; index <= history.rounds; index++) {
    const isEnd = index === history.rounds;
    const { transactions, rulings: drawn } = isEnd ? { transactions: [], rulings: [] } : history.round(index);
    rulings.push(...drawn);
    const arrived: Transaction[] = late
      .filter(({ round }) => isEnd || round <= index)
      .map(({ transaction }) => transaction);
    for (const row of late.splice(0)) if (!isEnd && row.round > index) late.push(row);
    for (const transaction of transactions) {
      if (random.chance(0.01)) late.push({ transaction, round: index + random.integer(1, 20) });
      else arrived.push(transaction);
    }
    for (const transaction of arrived) addActivity(unread, transaction, history);

    const overlap = random.chance(0.3) ? before.filter(() => random.chance(0.3)) : [];
    const walk = newestFirst([...arrived, ...overlap], random);
    const work: (() => Promise<void>)[] = [
      () =>
        ingest.walk(
          "all",
          walk.flatMap(({ trades }) => trades.map(({ trade }) => withoutFee(trade, random))),
        ),
      () =>
        ingest.walk(
          "takers",
          walk.flatMap(({ trades }) => trades.flatMap((row) => (row.taker ? withoutFee(row.trade, random) : []))),
        ),
      () => ingest.resolutions(rulings.splice(0, isEnd ? rulings.length : random.integer(0, rulings.length))),
    ];
    for (const [address, rows] of unread) {
      if (!isEnd && !random.chance(0.2)) continue;
      unread.delete(address);
      work.push(() => ingest.activity(address, rows));
    }
    if (random.chance(0.1)) work.push(() => ingest.markets(history.marketsAtFirst.map(renamed)));
    for (const step of shuffled(work, random)) await step();
    before = arrived;
    onRound(index);
  }
  await ingest.markets(history.markets);
  await ingest.settle();
  return ingest.rows;
}

/** Applies pages like one process of the product. */
class IngestProcess {
  readonly #pool: Pool;
  readonly #random: Random;
  #rowIds = new RowIdCache();
  /** Reports of markets that are not stored yet: the product requests resolutions only for stored markets. */
  #pending: readonly ProviderResolution[] = [];
  /** Traders whose activity was read. */
  readonly #read = new Set<number>();
  /** The number of conversion readings so far; each is one minute later than the previous one. */
  #readings = 0;
  rows = 0;

  constructor(pool: Pool, random: Random) {
    this.#pool = pool;
    this.#random = random;
  }

  async markets(described: readonly ProviderMarket[]): Promise<void> {
    for (const part of partsOf(described, () => 500)) {
      await applyMarkets(this.#pool, part, [], new Date(0));
    }
  }

  async resolutions(rulings: readonly ProviderResolution[]): Promise<void> {
    const all = [...this.#pending, ...rulings];
    const conditionIds = all.map(({ conditionId }) => conditionId);
    const rows = await selectRows(
      sessionOf(this.#pool),
      sql`select ${markets.conditionId} from ${markets}
        where ${markets.conditionId} = any(${array(conditionIds, "text")})`,
      z.object({ condition_id: z.string() }),
    );
    const known = new Set(rows.map((row) => row.condition_id));
    this.#pending = all.filter(({ conditionId }) => !known.has(conditionId));
    // One at a time, because two reports of one market in one response would count as one.
    for (const ruling of all.filter(({ conditionId }) => known.has(conditionId))) {
      await inTransaction(this.#pool, (session) =>
        applyResolutions(session, [ruling.conditionId], [ruling], [], new Date(0)),
      );
    }
  }

  async walk(feed: TradeFeed, rows: readonly ProviderTrade[]): Promise<void> {
    await this.#pages(rows, async (page, carry) => {
      let carried: OrdinalCarry | null = null;
      const next = (after: OrdinalCarry | null, added: number) => {
        carried = after;
        return { ...NEW_FEED, stored: added };
      };
      const settings = { rowIds: this.#rowIds, largeTradeMinUsd: LARGE_TRADE_MIN_USD };
      await this.#rowIds.cacheAfterCommit(() =>
        inTransaction(this.#pool, (session) => applyTradePage(session, feed, page, carry, next, settings)),
      );
      return carried;
    });
  }

  async activity(address: string, rows: readonly ProviderActivity[]): Promise<void> {
    let traderId: number | null = null;
    await this.#pages(rows, async (page, carry) => {
      const applied = await this.#rowIds.cacheAfterCommit(() =>
        inTransaction(this.#pool, (session) => applyActivityPage(session, address, page, carry, this.#rowIds)),
      );
      traderId = applied.traderId;
      return applied.carry;
    });
    if (traderId === null) return;
    this.#read.add(traderId);
    await this.#settleConversions(traderId);
  }

  /**
   * Applies the rest: reports of markets read last, and conversions in more events than one reading covers.
   */
  async settle(): Promise<void> {
    await this.resolutions([]);
    for (const traderId of this.#read)
      for (let turn = 0; turn < ENOUGH_READINGS; turn++) await this.#settleConversions(traderId);
  }

  async #settleConversions(traderId: number): Promise<void> {
    const at = new Date(this.#readings++ * 60_000);
    await bookPendingConversions(this.#pool, PROVIDER, traderId, () => at);
  }

  async #pages<Row>(
    rows: readonly Row[],
    apply: (page: ProviderPage<Row>, carry: OrdinalCarry | null) => Promise<OrdinalCarry | null>,
  ): Promise<void> {
    if (this.#random.chance(0.05)) this.#rowIds = new RowIdCache();
    const applied: (() => Promise<OrdinalCarry | null>)[] = [];
    let carry: OrdinalCarry | null = null;
    for (const part of partsOf(rows, () =>
      this.#random.chance(0.1) ? this.#random.integer(1, 5) : this.#random.integer(1, MOST_ROWS),
    )) {
      const from: OrdinalCarry | null = carry;
      const applyPart = (): Promise<OrdinalCarry | null> => {
        this.rows += part.length;
        return apply({ rows: part, nextCursor: null, quarantined: [] }, from);
      };
      carry = await applyPart();
      applied.push(applyPart);
      if (this.#random.chance(0.1)) await this.#random.pick(applied)();
    }
  }
}

function addActivity(
  unread: Map<string, ProviderActivity[]>,
  { trades, others }: Transaction,
  history: RandomHistory,
): void {
  const rows: ProviderActivity[] = [
    ...trades.map(({ trade }) => ({ kind: "trade" as const, trade })),
    ...others.map((activity) => ({ kind: "other" as const, activity })),
  ];
  for (const row of rows) {
    const { address } = row.kind === "trade" ? row.trade.trader : row.activity.trader;
    if (!history.isFollowed(address)) continue;
    const list = unread.get(address) ?? [];
    unread.set(address, list);
    list.push(row);
  }
}

/** A row as in the trade feeds: without the fee, and sometimes, while new, without the outcome index. */
function withoutFee(trade: ProviderTrade, random: Random): ProviderTrade {
  return { ...trade, feeMicro: null, outcomeIndex: random.chance(0.1) ? null : trade.outcomeIndex };
}

const renamed = (market: ProviderMarket): ProviderMarket => ({
  ...market,
  outcomes: market.outcomes.map((outcome) => ({ ...outcome, label: `Not ${outcome.label}` })),
});

/** Newest first; transactions of the same time, and the rows of one transaction, in random order. */
function newestFirst(transactions: readonly Transaction[], random: Random): Transaction[] {
  return shuffled(transactions, random)
    .sort((a, b) => b.atSeconds - a.atSeconds)
    .map((transaction) => ({ ...transaction, trades: shuffled(transaction.trades, random) }));
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, rank: random.next() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

function* partsOf<Row>(rows: readonly Row[], length: () => number): Generator<Row[]> {
  for (let start = 0; start < rows.length;) {
    const part = rows.slice(start, start + length());
    yield part;
    start += part.length;
  }
}
