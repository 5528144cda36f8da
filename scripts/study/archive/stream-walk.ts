import { nth } from "../nth.ts";
import { REFRESH_DAYS } from "../walk-forward.ts";
import { ClusterBook, type SettlingBet } from "./cluster-books.ts";
import { BET, BET_FIELDS, MAKER_FLAG, SALE_FLAG, type StreamedData } from "./streamed-data.ts";
import { TraderStates } from "./trader-states.ts";

const DAY = 86_400;
const MONTH_DAYS = 30;

/** What a walk shows while it goes. */
export interface WalkListener {
  /** A bet with its trader's letter from before it: the state of `traders` at the call. */
  onBet(bet: SettlingBet, cluster: number): void;
  onMonthEnd(traders: TraderStates): void;
  /** No bet of the cluster follows. */
  onClose(cluster: number): void;
}

/**
 * `walkForward` of the published method over a stream: the same letters, from the same settlements in the same order. It
 * keeps typed arrays by trader and market, and the bets of open clusters.
 */
export function walkStream(data: StreamedData, listener: (traders: TraderStates) => WalkListener): TraderStates {
  const traders = new TraderStates(data.traderCount);
  const { onBet, onMonthEnd, onClose } = listener(traders);
  const settlements = new Settlements(data, traders);
  const unseen = Int32Array.from(data.betsOfCluster);
  let nextRefresh = data.firstAt + REFRESH_DAYS * DAY;
  let nextMonth = data.firstAt + MONTH_DAYS * DAY;

  const advance = (at: number): void => {
    for (; nextRefresh <= at; nextRefresh += REFRESH_DAYS * DAY) {
      settlements.settleBefore(nextRefresh);
      traders.refresh(nextRefresh);
    }
    for (; nextMonth <= at; nextMonth += MONTH_DAYS * DAY) {
      settlements.settleBefore(nextMonth);
      traders.regradeAllStale(nextMonth);
      onMonthEnd(traders);
    }
    settlements.settleBefore(at);
  };
  for (const batch of data.batches()) {
    for (let from = 0; from < batch.length; from += BET_FIELDS) {
      const at = nth(batch, from + BET.at);
      advance(at);
      const bet = readBet(batch, from);
      const cluster = nth(data.clusterOfMarket, bet.market);
      if (!bet.isSale) traders.regradeStale(bet.trader, at);
      onBet(bet, cluster);
      settlements.add(bet, cluster, at);
      unseen[cluster] = nth(unseen, cluster) - 1;
      if (unseen[cluster] === 0) onClose(cluster);
    }
  }
  advance(data.lastAt);
  settlements.settleBefore(Number.POSITIVE_INFINITY);
  return traders;
}

function readBet(batch: Float64Array, from: number): SettlingBet {
  const flags = nth(batch, from + BET.flags);
  return {
    trader: nth(batch, from + BET.trader),
    market: nth(batch, from + BET.market),
    outcome: flags % SALE_FLAG,
    price: nth(batch, from + BET.price),
    usd: nth(batch, from + BET.usd),
    payout: nth(batch, from + BET.payout),
    isSale: (flags & SALE_FLAG) > 0,
    isMaker: (flags & MAKER_FLAG) > 0,
  };
}

/** Markets in the order of their results, and bets that were made after them. */
class Settlements {
  readonly #data: StreamedData;
  readonly #traders: TraderStates;
  readonly #books = new Map<number, ClusterBook>();
  /** By cluster: bets that have not settled yet. */
  readonly #unsettled: Int32Array;
  /** Market numbers by result, then number. */
  readonly #order: Int32Array;
  #next = 0;
  readonly #late: LateBet[] = [];

  constructor(data: StreamedData, traders: TraderStates) {
    this.#data = data;
    this.#traders = traders;
    this.#unsettled = Int32Array.from(data.betsOfCluster);
    this.#order = Int32Array.from(data.settledAt.keys()).sort((a, b) => this.#timeOf(a) - this.#timeOf(b) || a - b);
  }

  add(bet: SettlingBet, cluster: number, at: number): void {
    if (nth(this.#data.settledAt, bet.market) <= at) {
      this.#late.push({ bet, at });
      return;
    }
    this.#bookOf(cluster).wait(bet);
  }

  settleBefore(time: number): void {
    const due = this.#takeLate(time);
    let late = 0;
    const settleLateUpTo = (at: number, market: number) => {
      for (; late < due.length; late += 1) {
        const one = nth(due, late);
        if (one.at > at || (one.at === at && one.bet.market >= market)) return;
        this.#settleLate(one);
      }
    };
    for (; this.#next < this.#order.length; this.#next += 1) {
      const market = nth(this.#order, this.#next);
      const at = this.#timeOf(market);
      if (at >= time) break;
      settleLateUpTo(at, market);
      this.#settleMarket(market, at);
    }
    settleLateUpTo(Number.POSITIVE_INFINITY, 0);
  }

  /** Late bets come in the order of time. */
  #takeLate(time: number): LateBet[] {
    const first = this.#late[0];
    if (first === undefined || first.at >= time) return [];
    const rest = this.#late.findIndex(({ at }) => at >= time);
    return this.#late.splice(0, rest === -1 ? this.#late.length : rest).sort(byTimeAndMarket);
  }

  #settleMarket(market: number, at: number): void {
    const cluster = nth(this.#data.clusterOfMarket, market);
    const book = this.#books.get(cluster);
    if (book === undefined) return;
    const changed: number[] = [];
    const bets = book.settleMarket(market, (trader, change) => {
      this.#traders.settle(trader, cluster, at, change);
      changed.push(trader);
    });
    for (const trader of changed) this.#traders.regrade(trader, at);
    this.#count(cluster, bets);
  }

  #settleLate({ bet, at }: LateBet): void {
    const cluster = nth(this.#data.clusterOfMarket, bet.market);
    this.#traders.settle(bet.trader, cluster, at, this.#bookOf(cluster).settleLate(bet));
    this.#traders.regrade(bet.trader, at);
    this.#count(cluster, 1);
  }

  #bookOf(cluster: number): ClusterBook {
    const book = this.#books.get(cluster) ?? new ClusterBook((market) => this.#data.hasLateBets[market] === 1);
    this.#books.set(cluster, book);
    return book;
  }

  #count(cluster: number, bets: number): void {
    this.#unsettled[cluster] = nth(this.#unsettled, cluster) - bets;
    if (this.#unsettled[cluster] !== 0) return;
    this.#books.get(cluster)?.close();
    this.#books.delete(cluster);
  }

  /** Without a known time a market settles after everything else. */
  #timeOf(market: number): number {
    return Math.min(nth(this.#data.settledAt, market), Number.MAX_VALUE);
  }
}

interface LateBet {
  readonly bet: SettlingBet;
  readonly at: number;
}

const byTimeAndMarket = (a: LateBet, b: LateBet): number => a.at - b.at || a.bet.market - b.bet.market;
