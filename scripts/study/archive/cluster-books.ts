import { combineSums, EMPTY_CLUSTER, type ClusterSums } from "../../../src/scoring/skill/cluster-sums.ts";
import { addClose, NO_BETS, netMarket, type MarketBets } from "../../../src/scoring/skill/market-bets.ts";
import { nth } from "../nth.ts";
import { RowTable } from "./row-table.ts";

/**
 * Of one trader in one market: purchases, dollars, shares and payouts of both outcomes; all bets and their profit; shares
 * bought as maker of both outcomes.
 */
const MARKET_WIDTH = 10;
const CLUSTER_WIDTH = 4;
const MAX_TRADERS = 2 ** 31;

/** A bet that settles. */
export interface SettlingBet {
  readonly trader: number;
  readonly market: number;
  readonly outcome: number;
  readonly price: number;
  readonly usd: number;
  readonly payout: number;
  readonly isSale: boolean;
  readonly isMaker: boolean;
}

/** What changed for one trader when bets of one market settled. */
export interface SettledChange {
  readonly before: ClusterSums;
  readonly after: ClusterSums;
  readonly bets: number;
  readonly profitUsd: number;
}

/** The bets of one cluster: those that wait for their market, and the sums of those that have settled. */
export class ClusterBook {
  /** By market: a table by trader of what waits for the result. */
  readonly #waiting = new Map<number, RowTable>();
  /** By market and trader, what has settled; for bets that are made after the result. */
  readonly #settled = new RowTable(MARKET_WIDTH);
  readonly #sums = new RowTable(CLUSTER_WIDTH);
  readonly #hasLateBets: (market: number) => boolean;

  /** @param hasLateBets whether bets follow a market's result; without any, its bets are dropped at the result */
  constructor(hasLateBets: (market: number) => boolean) {
    this.#hasLateBets = hasLateBets;
  }

  /** Adds a bet that settles with its market. */
  wait(bet: SettlingBet): void {
    const table = this.#waiting.get(bet.market) ?? new RowTable(MARKET_WIDTH);
    this.#waiting.set(bet.market, table);
    addTo(table, bet.trader, bet);
  }

  /** Settles what waits for a market. @returns the number of bets */
  settleMarket(market: number, take: (trader: number, change: SettledChange) => void): number {
    const table = this.#waiting.get(market);
    if (table === undefined) return 0;
    this.#waiting.delete(market);
    let bets = 0;
    table.forEach((trader, row) => {
      bets += nth(table.values, row + 6);
      take(trader, this.#settle(trader, market, table, row));
    });
    table.release();
    return bets;
  }

  /** Settles one bet that was made after its market's result. */
  settleLate(bet: SettlingBet): SettledChange {
    const table = new RowTable(MARKET_WIDTH);
    addTo(table, bet.trader, bet);
    const change = this.#settle(bet.trader, bet.market, table, 0);
    table.release();
    return change;
  }

  /** No bet of the cluster is left to settle. */
  close(): void {
    for (const table of [...this.#waiting.values(), this.#settled, this.#sums]) table.release();
  }

  #settle(trader: number, market: number, table: RowTable, row: number): SettledChange {
    const added = table.values.subarray(row, row + MARKET_WIDTH);
    const [known, next] = this.#hasLateBets(market)
      ? this.#addToSettled(market * MAX_TRADERS + trader, added)
      : [EMPTY_CLUSTER, netRow(added, 0)];
    return { ...this.#replaceSums(trader, known, next), bets: nth(added, 6), profitUsd: nth(added, 7) };
  }

  /** @returns the sums of the market before and after */
  #addToSettled(key: number, added: Float64Array): readonly [ClusterSums, ClusterSums] {
    const row = this.#settled.rowOf(key);
    const { values } = this.#settled;
    const before = netRow(values, row);
    for (let field = 0; field < MARKET_WIDTH; field += 1) {
      const [known, more] = [nth(values, row + field), nth(added, field)];
      values[row + field] = isPayout(field) ? Math.max(known, more) : known + more;
    }
    return [before, netRow(values, row)];
  }

  #replaceSums(trader: number, known: ClusterSums, next: ClusterSums): { before: ClusterSums; after: ClusterSums } {
    const row = this.#sums.rowOf(trader);
    const { values } = this.#sums;
    const [bets, usdMicro, edgeMicro, varianceMicro] = values.subarray(row, row + CLUSTER_WIDTH);
    const before = {
      ...EMPTY_CLUSTER,
      bets: bets ?? 0,
      usdMicro: usdMicro ?? 0,
      edgeMicro: edgeMicro ?? 0,
      varianceMicro: varianceMicro ?? 0,
    };
    const after = combineSums(combineSums(before, known, -1), next, 1);
    values.set([after.bets, after.usdMicro, after.edgeMicro, after.varianceMicro], row);
    return { before, after };
  }
}

const isPayout = (field: number): boolean => field === 4 || field === 5;

function addTo(table: RowTable, key: number, { outcome, price, usd, payout, isSale, isMaker }: SettlingBet): void {
  const row = table.rowOf(key);
  const { values } = table;
  const add = (field: number, value: number) => (values[row + field] = nth(values, row + field) + value);
  add(6, 1);
  add(7, price > 0 ? (usd / price) * (payout - price) : 0);
  if (isSale) return;
  const sharesMicro = Math.round((usd / Math.max(price, 1e-6)) * 1e6);
  if (isMaker) {
    add(8 + outcome, sharesMicro);
    return;
  }
  add(0, 1);
  add(1, Math.round(usd * 1e6));
  add(2 + outcome, sharesMicro);
  values[row + 4 + outcome] = payout;
}

/** Without a close: the read tables have no kickoffs. */
const netRow = (values: Float64Array, row: number): ClusterSums =>
  addClose(netMarket(marketBets(values, row)), NO_BETS);

function marketBets(values: Float64Array, row: number): MarketBets {
  if (nth(values, row) === 0) return NO_BETS;
  return {
    bets: nth(values, row),
    usdMicro: nth(values, row + 1),
    sharesMicro: [nth(values, row + 2), nth(values, row + 3)],
    makerSharesMicro: [nth(values, row + 8), nth(values, row + 9)],
    payouts: [nth(values, row + 4), nth(values, row + 5)],
  };
}
