import type { BetColumns } from "../study-data.ts";
import type { SimulatedMarkets } from "./draw-markets.ts";
import { nth } from "../nth.ts";

interface WrittenBet {
  readonly trader: number;
  readonly market: number;
  readonly isYes: boolean;
  readonly at: number;
  readonly price: number;
  readonly usd: number;
  /** Probability of the bought side; NaN for a sale. */
  readonly truth: number;
  readonly isSale?: boolean;
  readonly isMaker?: boolean;
}

/** Collects bets in any order and returns them as columns in the order of time. */
export class BetWriter {
  readonly #markets: SimulatedMarkets;
  readonly #at: number[] = [];
  readonly #trader: number[] = [];
  readonly #market: number[] = [];
  readonly #isYes: boolean[] = [];
  readonly #price: number[] = [];
  readonly #usd: number[] = [];
  readonly #isSale: boolean[] = [];
  readonly #isMaker: boolean[] = [];
  readonly #truth: number[] = [];
  readonly #edge: Float64Array;
  readonly #purchases: Float64Array;

  constructor(markets: SimulatedMarkets, walletCount: number) {
    this.#markets = markets;
    this.#edge = new Float64Array(walletCount);
    this.#purchases = new Float64Array(walletCount);
  }

  get count(): number {
    return this.#at.length;
  }

  /** @param truth probability of the bought side at the time of purchase */
  buy(trader: number, market: number, isYes: boolean, at: number, price: number, usd: number, truth: number): void {
    this.#add({ trader, market, isYes, at, price, usd, truth });
    this.#countEdge(trader, truth - price);
  }

  /** A purchase as maker. */
  make(trader: number, market: number, isYes: boolean, at: number, price: number, usd: number, truth: number): void {
    this.#add({ trader, market, isYes, at, price, usd, truth, isMaker: true });
    this.#countEdge(trader, truth - price);
  }
  /** Sells shares of a side, written as the purchase of the other side. */
  sell(trader: number, market: number, isYes: boolean, at: number, price: number, shares: number): void {
    this.#add({
      trader,
      market,
      isYes: !isYes,
      at,
      price: 1 - price,
      usd: shares * (1 - price),
      truth: Number.NaN,
      isSale: true,
    });
  }

  #countEdge(trader: number, edge: number): void {
    this.#edge[trader] = nth(this.#edge, trader) + edge;
    this.#purchases[trader] = nth(this.#purchases, trader) + 1;
  }

  #add({ trader, market, isYes, at, price, usd, truth, isSale = false, isMaker = false }: WrittenBet): void {
    this.#at.push(Math.floor(at));
    this.#trader.push(trader);
    this.#market.push(market);
    this.#isYes.push(isYes);
    this.#price.push(price);
    this.#usd.push(usd);
    this.#isSale.push(isSale);
    this.#isMaker.push(isMaker);
    this.#truth.push(truth);
  }

  /** Mean true edge of each trader's purchases, in points. */
  edgePoints(): Float64Array {
    return this.#edge.map((sum, trader) => (100 * sum) / nth(this.#purchases, trader));
  }

  columns(): BetColumns {
    const count = this.#at.length;
    // Time first, then order of writing: both fit into one float while there are fewer than 2^22 bets.
    const order = Float64Array.from(this.#at, (at, index) => at * 4_194_304 + index).sort();
    const columns = {
      count,
      at: new Float64Array(count),
      trader: new Int32Array(count),
      market: new Int32Array(count),
      price: new Float64Array(count),
      usd: new Float64Array(count),
      payout: new Float64Array(count),
      side: new Uint8Array(count),
      isSale: new Uint8Array(count),
      isMaker: new Uint8Array(count),
      truth: new Float64Array(count),
    };
    for (let index = 0; index < count; index += 1) {
      const from = ((nth(order, index) % 4_194_304) + 4_194_304) % 4_194_304;
      const market = nth(this.#market, from);
      columns.at[index] = nth(this.#at, from);
      columns.trader[index] = nth(this.#trader, from);
      columns.market[index] = market;
      columns.price[index] = nth(this.#price, from);
      columns.usd[index] = nth(this.#usd, from);
      columns.payout[index] = nth(this.#isYes, from) === (this.#markets.yesWon[market] === 1) ? 1 : 0;
      columns.side[index] = nth(this.#isYes, from) ? 0 : 1;
      columns.isSale[index] = nth(this.#isSale, from) ? 1 : 0;
      columns.truth[index] = nth(this.#truth, from);
      columns.isMaker[index] = nth(this.#isMaker, from) ? 1 : 0;
    }
    return columns;
  }
}
