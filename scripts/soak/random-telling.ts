import type { Pool } from "@neondatabase/serverless";
import { inTransaction } from "../../src/db/client.ts";
import { applyActivityPage } from "../../src/ingest/apply-activity-page.ts";
import { applyMarkets } from "../../src/ingest/apply-markets.ts";
import { applyResolutions } from "../../src/ingest/apply-resolutions.ts";
import { applyTradePage } from "../../src/ingest/apply-trade-page.ts";
import { settleConversions } from "../../src/ingest/conversions/settle-conversions.ts";
import type { Carry } from "../../src/ingest/identity.ts";
import { KnownIds } from "../../src/ingest/known-ids.ts";
import { NEW_FEED } from "../../src/ingest/trade-walk.ts";
import type { Page, ProviderActivity, ProviderMarket, ProviderResolution, ProviderTrade, TradeFeed } from "../../src/ports/provider.ts";
import { createRandom, type Random } from "../provider/simulate/random.ts";
import { conditionOf, questionsOf } from "./named-objects.ts";
import type { RandomHistory, Transaction } from "./random-history.ts";

/** All that is asked of a provider here. */
const PROVIDER = {
  findMarkets: async () => ({ rows: [], nextCursor: null, misfits: [] }),
  findQuestions: async (event: string) => questionsOf(Number(event)).map(conditionOf),
};

/** The large-trade floor: low enough that every page has some. */
const LARGE_TRADE_MIN_USD = 5_000;
const MOST_ROWS = 1_000;
/** Fifty events have their turn in each, and of a million fills there are 200. */
const ENOUGH_READINGS = 5;

/**
 * Tells a history to the product's own apply functions the way `split` draws it: pages of any length, walks that overlap and repeat
 * pages, transactions that land rounds late, feeds in any order, activity read now and then, resolutions told late, processes that
 * forget what they knew. Conversions are booked when a wallet's rows so far have been read. Two tellings of one history must end the same.
 *
 * @returns how many rows the pages held, repeated ones each time
 */
export async function tell(pool: Pool, history: RandomHistory, split: number, onRound: (round: number) => void): Promise<number> {
  const random = createRandom("telling", split);
  const listener = new Listener(pool, random);
  await listener.markets(history.marketsAtFirst);
  const late: { transaction: Transaction; round: number }[] = [];
  const unread = new Map<string, ProviderActivity[]>();
  const rulings: ProviderResolution[] = [];
  let before: readonly Transaction[] = [];
  for (let index = 0; index <= history.rounds; index++) {
    const isEnd = index === history.rounds;
    const { transactions, rulings: drawn } = isEnd ? { transactions: [], rulings: [] } : history.round(index);
    rulings.push(...drawn);
    const told: Transaction[] = late.filter(({ round }) => isEnd || round <= index).map(({ transaction }) => transaction);
    for (const row of late.splice(0)) if (!isEnd && row.round > index) late.push(row);
    for (const transaction of transactions) {
      if (random.chance(0.01)) late.push({ transaction, round: index + random.integer(1, 20) });
      else told.push(transaction);
    }
    for (const transaction of told) addActivity(unread, transaction, history);

    const overlap = random.chance(0.3) ? before.filter(() => random.chance(0.3)) : [];
    const walk = newestFirst([...told, ...overlap], random);
    const work: (() => Promise<void>)[] = [
      () =>
        listener.walk(
          "all",
          walk.flatMap(({ trades }) => trades.map(({ trade }) => withoutFee(trade, random))),
        ),
      () =>
        listener.walk(
          "takers",
          walk.flatMap(({ trades }) => trades.flatMap((row) => (row.taker ? withoutFee(row.trade, random) : []))),
        ),
      () => listener.resolutions(rulings.splice(0, isEnd ? rulings.length : random.integer(0, rulings.length))),
    ];
    for (const [address, rows] of unread) {
      if (!isEnd && !random.chance(0.2)) continue;
      unread.delete(address);
      work.push(() => listener.activity(address, rows));
    }
    if (random.chance(0.1)) work.push(() => listener.markets(history.marketsAtFirst.map(renamed)));
    for (const step of shuffled(work, random)) await step();
    before = told;
    onRound(index);
  }
  await listener.markets(history.markets);
  await listener.settle();
  return listener.rows;
}

/** Applies what it is told, as a process of the product would. */
class Listener {
  readonly #pool: Pool;
  readonly #random: Random;
  #known = new KnownIds();
  /** Rulings of markets that nothing has been read of: the product asks for those it knows. */
  #unasked: readonly ProviderResolution[] = [];
  /** Wallets whose activity was read. */
  readonly #read = new Set<number>();
  /** Time passes from one reading to the next. */
  #readings = 0;
  rows = 0;

  constructor(pool: Pool, random: Random) {
    this.#pool = pool;
    this.#random = random;
  }

  async markets(markets: readonly ProviderMarket[]): Promise<void> {
    for (const part of partsOf(markets, () => 500)) {
      await inTransaction(this.#pool, (session) => applyMarkets(session, part, [], new Date(0)));
    }
  }

  async resolutions(rulings: readonly ProviderResolution[]): Promise<void> {
    const all = [...this.#unasked, ...rulings];
    const { rows } = await this.#pool.query<{ id: string }>(`select condition_id as id from markets where condition_id = any($1::text[])`, [
      all.map(({ conditionId }) => conditionId),
    ]);
    const known = new Set(rows.map(({ id }) => id));
    this.#unasked = all.filter(({ conditionId }) => !known.has(conditionId));
    // One at a time: two rulings of one market in an answer would be one ruling.
    for (const ruling of all.filter(({ conditionId }) => known.has(conditionId))) {
      await inTransaction(this.#pool, (session) => applyResolutions(session, [ruling.conditionId], [ruling], [], new Date(0)));
    }
  }

  async walk(feed: TradeFeed, rows: readonly ProviderTrade[]): Promise<void> {
    await this.#pages(rows, async (page, carry) => {
      let carried: Carry | null = null;
      const next = (after: Carry | null, added: number) => {
        carried = after;
        return { ...NEW_FEED, stored: added };
      };
      const settings = { known: this.#known, largeTradeMinUsd: LARGE_TRADE_MIN_USD };
      await this.#known.keepAfter(() => inTransaction(this.#pool, (session) => applyTradePage(session, feed, page, carry, next, settings)));
      return carried;
    });
  }

  async activity(address: string, rows: readonly ProviderActivity[]): Promise<void> {
    let traderId: number | null = null;
    await this.#pages(rows, async (page, carry) => {
      const applied = await this.#known.keepAfter(() =>
        inTransaction(this.#pool, (session) => applyActivityPage(session, address, page, carry, this.#known)),
      );
      traderId = applied.traderId;
      return applied.carry;
    });
    if (traderId === null) return;
    this.#read.add(traderId);
    await this.#settleConversions(traderId);
  }

  /** What is left: rulings of markets that were read last, and conversions in more events than one reading asks for. */
  async settle(): Promise<void> {
    await this.resolutions([]);
    for (const traderId of this.#read) for (let turn = 0; turn < ENOUGH_READINGS; turn++) await this.#settleConversions(traderId);
  }

  async #settleConversions(traderId: number): Promise<void> {
    const at = new Date(this.#readings++ * 60_000);
    await settleConversions(this.#pool, PROVIDER, traderId, () => at);
  }

  async #pages<Row>(rows: readonly Row[], apply: (page: Page<Row>, carry: Carry | null) => Promise<Carry | null>): Promise<void> {
    if (this.#random.chance(0.05)) this.#known = new KnownIds();
    const applied: (() => Promise<Carry | null>)[] = [];
    let carry: Carry | null = null;
    for (const part of partsOf(rows, () => (this.#random.chance(0.1) ? this.#random.integer(1, 5) : this.#random.integer(1, MOST_ROWS)))) {
      const from: Carry | null = carry;
      const again = (): Promise<Carry | null> => {
        this.rows += part.length;
        return apply({ rows: part, nextCursor: null, misfits: [] }, from);
      };
      carry = await again();
      applied.push(again);
      if (this.#random.chance(0.1)) await this.#random.pick(applied)();
    }
  }
}

function addActivity(unread: Map<string, ProviderActivity[]>, { trades, others }: Transaction, history: RandomHistory): void {
  const rows: ProviderActivity[] = [
    ...trades.map(({ trade }) => ({ kind: "trade" as const, trade })),
    ...others.map((activity) => ({ kind: "other" as const, activity })),
  ];
  for (const row of rows) {
    const { address } = row.kind === "trade" ? row.trade.wallet : row.activity.wallet;
    if (!history.isFollowed(address)) continue;
    const list = unread.get(address) ?? [];
    unread.set(address, list);
    list.push(row);
  }
}

/** The trade feeds tell no fee, and a fresh row not always its outcome's index. */
function withoutFee(trade: ProviderTrade, random: Random): ProviderTrade {
  return { ...trade, feeMicro: null, outcomeIndex: random.chance(0.1) ? null : trade.outcomeIndex };
}

const renamed = (market: ProviderMarket): ProviderMarket => ({
  ...market,
  outcomes: market.outcomes.map((outcome) => ({ ...outcome, label: `Not ${outcome.label}` })),
});

/** Transactions of one moment, and the rows of one, stand in any order. */
function newestFirst(transactions: readonly Transaction[], random: Random): Transaction[] {
  return shuffled(transactions, random)
    .sort((a, b) => b.atSeconds - a.atSeconds)
    .map((transaction) => ({ ...transaction, trades: shuffled(transaction.trades, random) }));
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, place: random.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

function* partsOf<Row>(rows: readonly Row[], length: () => number): Generator<Row[]> {
  for (let start = 0; start < rows.length;) {
    const part = rows.slice(start, start + length());
    yield part;
    start += part.length;
  }
}
