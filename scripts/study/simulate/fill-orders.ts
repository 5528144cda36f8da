import type { Random } from "../../provider/simulate/random.ts";
import type { BetWriter } from "./bet-writer.ts";
import type { SimulatedMarkets } from "./draw-markets.ts";
import type { SimulatedTrader } from "./draw-traders.ts";
import { HALF_SPREAD_AT_EVEN, STEPS } from "./assumptions.ts";
import { nth } from "../nth.ts";
import { normalQuantile } from "./normal-quantile.ts";
import type { World } from "./worlds.ts";

/** One decision of a trader: a side of a market at a step. */
export interface OrderDecision {
  readonly market: number;
  readonly step: number;
  readonly isYes: boolean;
  readonly at: number;
  readonly usd: number;
}

/** Half the distance between the quotes: widest at even odds, never wider than the price. */
export const halfSpread = (price: number): number => HALF_SPREAD_AT_EVEN * (0.3 + 2.8 * price * (1 - price));

export const sidePrice = (markets: SimulatedMarkets, market: number, step: number, isYes: boolean): number => {
  const yes = nth(markets.price, market * STEPS + step);
  return isYes ? yes : 1 - yes;
};

export const sideTruth = (markets: SimulatedMarkets, market: number, step: number, isYes: boolean): number => {
  const yes = nth(markets.truth, market * STEPS + step);
  return isYes ? yes : 1 - yes;
};

/**
 * Examines a few markets and chooses the side with the strongest signal. Null when no market suits the trader
 * in its period.
 */
export function decideOrder(
  facts: World,
  random: Random,
  markets: SimulatedMarkets,
  wallet: SimulatedTrader,
): OrderDecision | null {
  let best: OrderDecision | null = null;
  let bestSignal = -1;
  const wanted = wallet.kind === "favourite buyer" || wallet.kind === "lottery buyer" ? 1 : facts.LOOKS;
  let examined = 0;
  for (let attempt = 0; attempt < 30 && examined < wanted; attempt += 1) {
    // Few events attract most of the trades.
    const event = Math.floor(markets.eventCount * random.next() ** 1.8);
    const market = random.integer(nth(markets.firstMarket, event), nth(markets.firstMarket, event + 1) - 1);
    const step = random.integer(0, STEPS - 1);
    const index = market * STEPS + step;
    const at = nth(markets.at, index);
    if (at < wallet.from || at > wallet.to) continue;
    const view = -nth(markets.error, index) / facts.MISPRICING;
    const sight = wallet.sight * facts.sightFactor(at, wallet.from);
    const noise = facts.isHerdNoiseShared && wallet.kind === "herd" ? hashedNormal(index) : random.normal();
    const signal = sight * view + Math.sqrt(1 - sight ** 2) * noise;
    let isYes = signal > 0;
    const story = nth(markets.storyOfMarket, market);
    if (facts.isStorySided && story !== -1 && wallet.kind !== "skilled")
      isYes = hashedNormal(Math.imul(story, 7919) + Math.floor(wallet.to)) > 0;
    if (wallet.kind === "favourite buyer") isYes = nth(markets.price, index) > 0.5;
    if (wallet.kind === "lottery buyer") isYes = nth(markets.price, index) <= 0.5;
    const price = sidePrice(markets, market, step, isYes);
    if (wallet.kind === "favourite buyer" && price < facts.FAVOURITE_PRICE) continue;
    if (wallet.kind === "lottery buyer" && price > facts.LOTTERY_PRICE) continue;
    examined += 1;
    if (Math.abs(signal) <= bestSignal) continue;
    bestSignal = Math.abs(signal);
    const usd = wallet.orderUsd * Math.exp(facts.ORDER_SIZE_DEVIATION * random.normal());
    best = { market, step, isYes, at: at + random.next() * 1800, usd };
  }
  return best;
}

/** Fills a taker's order in one or more pieces, and sometimes closes it later. */
export function takeOrder(
  facts: World,
  random: Random,
  markets: SimulatedMarkets,
  writer: BetWriter,
  wallet: number,
  order: OrderDecision,
  slip: number,
): void {
  const { market, isYes } = order;
  const quoted = sidePrice(markets, market, order.step, isYes);
  const truth = sideTruth(markets, market, order.step, isYes);
  let pieces = 1;
  while (pieces < 12 && random.chance(facts.ONE_MORE_PIECE)) pieces += 1;
  let shares = 0;
  for (let piece = 0; piece < pieces; piece += 1) {
    // Each piece moves the price a little.
    const price = Math.min(0.999, quoted + halfSpread(quoted) + slip * 4 * quoted * (1 - quoted) + piece * 0.0005);
    writer.buy(wallet, market, isYes, order.at + piece * 20, price, order.usd / pieces, truth);
    shares += order.usd / pieces / price;
  }
  if (order.step >= STEPS - 1) return;
  const later = random.integer(order.step + 1, STEPS - 1);
  const offered = sidePrice(markets, market, later, isYes);
  if (!random.chance(offered > quoted ? facts.EXIT_IN_PROFIT : facts.EXIT_IN_LOSS)) return;
  const at = Math.max(order.at + pieces * 20 + 1, nth(markets.at, market * STEPS + later));
  writer.sell(wallet, market, isYes, at, Math.max(0.001, offered - halfSpread(offered)), shares);
}

/** Standard normal, and the same for the same number, such as one step of one market: a hash of it. */
function hashedNormal(number: number): number {
  let hash = Math.imul(number + 1, 0x9e37_79b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return normalQuantile((((hash ^ (hash >>> 16)) >>> 0) + 0.5) / 2 ** 32);
}

/**
 * Buys equal shares of both sides at prices that add up to a dollar: no profit in any outcome. The price of
 * the favourite is what a buyer of it pays.
 */
export function washOrder(markets: SimulatedMarkets, writer: BetWriter, wallet: number, order: OrderDecision): void {
  for (const isYes of [true, false]) {
    const price = sidePrice(markets, order.market, order.step, isYes);
    const usd = 2 * order.usd * price;
    writer.buy(wallet, order.market, isYes, order.at, price, usd, sideTruth(markets, order.market, order.step, isYes));
  }
}

/** Fills a maker at its own quote, mostly on both sides, with equal shares of each. */
export function makeOrder(
  random: Random,
  markets: SimulatedMarkets,
  writer: BetWriter,
  wallet: number,
  order: OrderDecision,
): void {
  for (const isYes of random.chance(0.7) ? [order.isYes, !order.isYes] : [order.isYes]) {
    const quoted = sidePrice(markets, order.market, order.step, isYes);
    const price = Math.max(0.001, quoted - halfSpread(quoted));
    const usd = 2 * order.usd * price;
    writer.make(wallet, order.market, isYes, order.at, price, usd, sideTruth(markets, order.market, order.step, isYes));
  }
}
