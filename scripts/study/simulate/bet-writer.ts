import type { BetColumns } from "../study-data.ts";
import type { SimulatedMarkets } from "./draw-markets.ts";
import { nth } from "../nth.ts";

/** Collects bets in any order and hands them out in the order of time. */
export class BetWriter {
  readonly #markets: SimulatedMarkets;
  readonly #at: number[] = [];
  readonly #wallet: number[] = [];
  readonly #market: number[] = [];
  readonly #isYes: boolean[] = [];
  readonly #price: number[] = [];
  readonly #usd: number[] = [];
  readonly #isSale: boolean[] = [];
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

  /** @param truth probability of the bought side when it was bought */
  buy(wallet: number, market: number, isYes: boolean, at: number, price: number, usd: number, truth: number): void {
    this.#add(wallet, market, isYes, at, price, usd, false);
    this.#edge[wallet] = nth(this.#edge, wallet) + truth - price;
    this.#purchases[wallet] = nth(this.#purchases, wallet) + 1;
  }

  /** Sells shares of a side: written as the purchase of the other. */
  sell(wallet: number, market: number, isYes: boolean, at: number, price: number, shares: number): void {
    this.#add(wallet, market, !isYes, at, 1 - price, shares * (1 - price), true);
  }

  #add(wallet: number, market: number, isYes: boolean, at: number, price: number, usd: number, isSale: boolean): void {
    this.#at.push(Math.floor(at));
    this.#wallet.push(wallet);
    this.#market.push(market);
    this.#isYes.push(isYes);
    this.#price.push(price);
    this.#usd.push(usd);
    this.#isSale.push(isSale);
  }

  /** Mean true edge of each wallet's purchases, in points. */
  edgePoints(): Float64Array {
    return this.#edge.map((sum, wallet) => (100 * sum) / nth(this.#purchases, wallet));
  }

  columns(): BetColumns {
    const count = this.#at.length;
    // Time first, then place of writing: both fit into one float as long as there are fewer than 2^22 bets.
    const order = Float64Array.from(this.#at, (at, index) => at * 4_194_304 + index).sort();
    const columns = {
      count,
      at: new Float64Array(count),
      wallet: new Int32Array(count),
      market: new Int32Array(count),
      price: new Float64Array(count),
      usd: new Float64Array(count),
      payout: new Float64Array(count),
      isSale: new Uint8Array(count),
    };
    for (let place = 0; place < count; place += 1) {
      const from = ((nth(order, place) % 4_194_304) + 4_194_304) % 4_194_304;
      const market = nth(this.#market, from);
      columns.at[place] = nth(this.#at, from);
      columns.wallet[place] = nth(this.#wallet, from);
      columns.market[place] = market;
      columns.price[place] = nth(this.#price, from);
      columns.usd[place] = nth(this.#usd, from);
      columns.payout[place] = nth(this.#isYes, from) === (this.#markets.yesWon[market] === 1) ? 1 : 0;
      columns.isSale[place] = nth(this.#isSale, from) ? 1 : 0;
    }
    return columns;
  }
}
