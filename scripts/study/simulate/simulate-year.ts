import { createRandom } from "../../provider/simulate/random.ts";
import type { StudyData } from "../study-data.ts";
import { BetWriter } from "./bet-writer.ts";
import { drawMarkets, type SimulatedMarkets } from "./draw-markets.ts";
import { drawWallets, WALLET_KINDS, type SimulatedWallet } from "./draw-wallets.ts";
import * as facts from "./facts.ts";
import { chooseOrder, makeOrder, sidePrice, takeOrder, type Order } from "./trade-wallet.ts";
import { nth } from "../nth.ts";

/** Markets grow with the trades: about a hundred fills a market. */
const FILLS_PER_EVENT = 285;

export interface SimulationSize {
  readonly wallets: number;
  /** At least this many; a few more are written. */
  readonly fills: number;
}

/** A year of trading by wallets whose skill is known. The same seed and size give the same year. */
export function simulateYear(seed: number, size: SimulationSize): StudyData {
  const markets = drawMarkets(seed, Math.max(200, Math.round(size.fills / FILLS_PER_EVENT)));
  const wallets = drawWallets(seed, size.wallets);
  const writer = new BetWriter(markets, wallets.length);
  const orders = tradeOwnOrders(seed, markets, wallets, writer, size.fills);
  copyLeaders(seed, markets, wallets, writer, orders, size.fills);
  return {
    title: `simulated year, seed ${seed}`,
    isGenerated: true,
    notes: ["All of this data is generated. No figure below was measured at a real market."],
    walletCount: wallets.length,
    clusterCount: markets.eventCount,
    clusterOfMarket: markets.eventOfMarket,
    settledAt: markets.settledAt,
    bets: writer.columns(),
    latent: {
      edgePoints: writer.edgePoints(),
      kind: Uint8Array.from(wallets, ({ kind }) => WALLET_KINDS.indexOf(kind)),
      kinds: WALLET_KINDS,
    },
  };
}

/** All but the copiers trade until they have made their share of the fills. @returns each wallet's orders */
function tradeOwnOrders(
  seed: number,
  markets: SimulatedMarkets,
  wallets: readonly SimulatedWallet[],
  writer: BetWriter,
  fills: number,
): readonly (readonly Order[])[] {
  const random = createRandom(seed, "orders");
  const target = fills * (1 - facts.COPIER_SHARE);
  const activity = wallets.reduce((sum, wallet) => sum + (wallet.kind === "copier" ? 0 : wallet.activity), 0);
  const orders: Order[][] = wallets.map(() => []);
  // An order makes about two fills; what is missing after the first round is made up in the next ones.
  for (let round = 0; round < 40 && writer.count < target; round += 1) {
    const wantedOrders = (target - writer.count) / 2 + wallets.length / 20;
    wallets.forEach((wallet, index) => {
      if (wallet.kind === "copier") return;
      const wanted = (wantedOrders * wallet.activity) / activity;
      const count = Math.floor(wanted) + (random.chance(wanted % 1) ? 1 : 0);
      for (let made = 0; made < count; made += 1) {
        const order = chooseOrder(random, markets, wallet);
        if (order === null) continue;
        nth(orders, index).push(order);
        if (wallet.kind === "market maker") makeOrder(random, markets, writer, index, order);
        else takeOrder(random, markets, writer, index, order, 0);
      }
    });
  }
  return orders;
}

/** Each copier follows one of the wallets that had won most dollars by then, a little later and a little dearer. */
function copyLeaders(
  seed: number,
  markets: SimulatedMarkets,
  wallets: readonly SimulatedWallet[],
  writer: BetWriter,
  orders: readonly (readonly Order[])[],
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
        takeOrder(random, markets, writer, copier, { ...order, usd, at: order.at + random.between(60, 1800) }, facts.COPY_SLIP);
      }
    }
  }
}

function profitBefore(markets: SimulatedMarkets, order: Order, before: number): number {
  if (nth(markets.settledAt, order.market) >= before) return 0;
  const won = (markets.yesWon[order.market] === 1) === order.isYes;
  const price = sidePrice(markets, order.market, order.step, order.isYes);
  return (order.usd / price) * ((won ? 1 : 0) - price);
}
