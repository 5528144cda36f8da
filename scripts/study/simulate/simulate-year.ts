import { createRandom } from "../../provider/simulate/random.ts";
import type { StudyData } from "../study-data.ts";
import { BetWriter } from "./bet-writer.ts";
import { drawMarkets, type SimulatedMarkets } from "./draw-markets.ts";
import { drawTraders, TRADER_KINDS, type SimulatedTrader } from "./draw-traders.ts";
import { decideOrder, makeOrder, sidePrice, takeOrder, washOrder, type OrderDecision } from "./fill-orders.ts";
import { nth } from "../nth.ts";
import { WORLDS, type World, type WorldName } from "./worlds.ts";

/** Markets grow with the trades: about a hundred fills a market. */
const FILLS_PER_EVENT = 285;

export interface SimulationSize {
  readonly wallets: number;
  /** The minimum number; slightly more are written. */
  readonly fills: number;
}

/** A year of trading by traders of known skill. The same seed and size give the same year. */
export function simulateYear(seed: number, size: SimulationSize, name: WorldName = "base"): StudyData {
  const facts = WORLDS[name];
  const markets = drawMarkets(seed, Math.max(200, Math.round(size.fills / FILLS_PER_EVENT)), facts);
  const wallets = drawTraders(seed, size.wallets, facts);
  const writer = new BetWriter(markets, wallets.length);
  const orders = tradeOwnOrders(facts, seed, markets, wallets, writer, size.fills);
  copyLeaders(facts, seed, markets, wallets, writer, orders, size.fills);
  return {
    title: `simulated year, ${name === "base" ? "" : `world ${name}, `}seed ${seed}`,
    isGenerated: true,
    notes: ["All of this data is generated. No figure below was measured at a real market."],
    traderCount: wallets.length,
    clusterCount: markets.eventCount,
    clusterOfMarket: markets.eventOfMarket,
    storyOfMarket: markets.storyOfMarket,
    settledAt: markets.settledAt,
    closesAt: markets.closesAt,
    bets: writer.columns(),
    latent: {
      edgePoints: writer.edgePoints(),
      kind: Uint8Array.from(wallets, ({ kind }) => TRADER_KINDS.indexOf(kind)),
      kinds: TRADER_KINDS,
    },
  };
}

/**
 * All traders except copiers trade until they have made their share of the fills.
 *
 * @returns each trader's orders
 */
function tradeOwnOrders(
  facts: World,
  seed: number,
  markets: SimulatedMarkets,
  wallets: readonly SimulatedTrader[],
  writer: BetWriter,
  fills: number,
): readonly (readonly OrderDecision[])[] {
  const random = createRandom(seed, "orders");
  const target = fills * (1 - facts.COPIER_SHARE);
  const activity = wallets.reduce((sum, wallet) => sum + (wallet.kind === "copier" ? 0 : wallet.activity), 0);
  const orders: OrderDecision[][] = wallets.map(() => []);
  // An order makes about two fills; later rounds make up for what the first one lacks.
  for (let round = 0; round < 40 && writer.count < target; round += 1) {
    const wantedOrders = (target - writer.count) / 2 + wallets.length / 20;
    wallets.forEach((wallet, index) => {
      if (wallet.kind === "copier") return;
      const wanted = (wantedOrders * wallet.activity) / activity;
      const count = Math.floor(wanted) + (random.chance(wanted % 1) ? 1 : 0);
      for (let n = 0; n < count; n += 1) {
        const order = decideOrder(facts, random, markets, wallet);
        if (order === null) continue;
        nth(orders, index).push(order);
        if (wallet.kind === "market maker") makeOrder(random, markets, writer, index, order);
        else if (wallet.kind === "washer") washOrder(markets, writer, index, order);
        else takeOrder(facts, random, markets, writer, index, order, 0);
      }
    });
  }
  return orders;
}

/**
 * Each copier follows the traders with the most profit at that time, slightly later and at a slightly higher
 * price.
 */
function copyLeaders(
  facts: World,
  seed: number,
  markets: SimulatedMarkets,
  wallets: readonly SimulatedTrader[],
  writer: BetWriter,
  orders: readonly (readonly OrderDecision[])[],
  fills: number,
): void {
  const random = createRandom(seed, "copiers");
  const from = facts.COPY_FROM_DAY * 86_400;
  const leaders = orders
    .map((own, wallet) => ({ wallet, profit: own.reduce((sum, order) => sum + profitBefore(markets, order, from), 0) }))
    .sort((a, b) => b.profit - a.profit || a.wallet - b.wallet)
    .slice(0, facts.COPIED_LEADERS);
  const copiers = wallets.flatMap(({ kind }, index) => (kind === "copier" ? [index] : []));
  for (let round = 0; round < 20 && writer.count < fills; round += 1) {
    for (const copier of copiers) {
      if (writer.count >= fills) return;
      for (const order of orders[random.pick(leaders).wallet] ?? []) {
        if (order.at < from || !random.chance(facts.COPY_PROBABILITY / 10)) continue;
        const usd = nth(wallets, copier).orderUsd * Math.exp(facts.ORDER_SIZE_DEVIATION * random.normal());
        takeOrder(
          facts,
          random,
          markets,
          writer,
          copier,
          { ...order, usd, at: order.at + random.between(60, 1800) },
          facts.COPY_SLIP,
        );
      }
    }
  }
}

function profitBefore(markets: SimulatedMarkets, order: OrderDecision, before: number): number {
  if (nth(markets.settledAt, order.market) >= before) return 0;
  const won = (markets.yesWon[order.market] === 1) === order.isYes;
  const price = sidePrice(markets, order.market, order.step, order.isYes);
  return (order.usd / price) * ((won ? 1 : 0) - price);
}
