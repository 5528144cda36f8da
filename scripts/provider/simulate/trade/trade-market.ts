import { chooseOrder, type Order } from "./choose-order.ts";
import type { MarketScene } from "../market-scene.ts";
import { roundMicro, type Fill } from "../activity-writer.ts";
import type { SimulatedWallet } from "../wallets.ts";

const TICK = 0.01;
/** A market maker merges its pairs into cash from this number on. */
const MERGE_FROM_SHARES = 400;
const LAG_CHANCE = 0.3;

/** Generates every fill of a market from its opening to its close. */
export function tradeMarket(scene: MarketScene): void {
  const { plan, marketPlan, random, crowd } = scene;
  seedMakers(scene);
  const span = plan.closesMs - plan.opensMs;
  const drawTaker = crowd.drawTakers(random);
  let last: Order | null = null;
  for (let index = 0; index < marketPlan.takerTrades; index += 1) {
    // One trade in each part of the span, so that none is empty; they become more frequent toward the end.
    const ms = plan.opensMs + span * ((index + random.next()) / marketPlan.takerTrades) ** 0.7;
    const order = chooseOrder(scene, drawTaker, ms, last);
    if (order === null) continue;
    last = order;
    settle(scene, Math.floor(ms / 1000), order);
  }
}

/** Some makers start with pairs from a split. */
function seedMakers({ market, random, inventory, writer, plan, crowd }: MarketScene): void {
  for (const maker of crowd.makers) {
    if (!random.chance(0.3)) continue;
    const size = random.integer(2, 20) * 50;
    inventory.add(maker, 0, size);
    inventory.add(maker, 1, size);
    const timestamp = Math.floor(plan.opensMs / 1000);
    writer.addOther({
      type: "SPLIT",
      timestamp,
      wallet: maker.profile,
      market,
      outcome: null,
      side: "",
      size,
      usdcSize: size,
    });
  }
}

/**
 * Matches an order against one to four makers, who sell shares they own or buy the other outcome in a new
 * pair.
 */
function settle(scene: MarketScene, timestamp: number, order: Order): void {
  const { random, market, inventory, plan, crowd, writer } = scene;
  const slices = slice(order.shares, random.integer(1, order.shares > 500 ? 4 : 2));
  const fills: Fill[] = [];
  let paid = 0;
  slices.forEach((size, index) => {
    const step = order.side === "BUY" ? index * TICK : -index * TICK;
    const price = Math.round(Math.min(Math.max(order.price + step, TICK), 1 - TICK) * 100) / 100;
    const maker = random.chance(0.75) ? random.pick(crowd.makers) : random.pick(crowd.all);
    if (maker === order.wallet) return;
    paid += size * price;
    fills.push(makerFill(scene, maker, order, size, price));
  });
  const size = roundMicro(fills.reduce((sum, fill) => sum + fill.size, 0));
  if (size === 0) return;
  const price = Math.round((paid / size) * 1e10) / 1e10;
  inventory.add(order.wallet, order.outcome, order.side === "BUY" ? size : -size);
  const feeUsd = Math.round(size * plan.feeRate * price * (1 - price) * 1e5) / 1e5;
  const { wallet, outcome, side } = order;
  fills.push({ wallet: wallet.profile, market, outcome, side, size, price, feeUsd, role: "taker" });
  writer.addSettlement(timestamp, fills, random.chance(LAG_CHANCE));
  for (const maker of crowd.makers) mergePairs(scene, timestamp, maker);
}

/** Splits an order into parts of whole hundredths of a share. */
function slice(shares: number, count: number): readonly number[] {
  const part = Math.floor((shares / count) * 100) / 100;
  if (part < 1) return [shares];
  return Array.from({ length: count }, (_, index) =>
    index === count - 1 ? roundMicro(shares - part * (count - 1)) : part,
  );
}

function makerFill(
  { market, inventory, random }: MarketScene,
  maker: SimulatedWallet,
  order: Order,
  size: number,
  price: number,
): Fill {
  const other = order.outcome === 0 ? 1 : 0;
  const opposite = Math.round((1 - price) * 100) / 100;
  const fill = (outcome: 0 | 1, side: "BUY" | "SELL", at: number): Fill => {
    inventory.add(maker, outcome, side === "BUY" ? size : -size);
    return { wallet: maker.profile, market, outcome, side, size, price: at, feeUsd: 0, role: "maker" };
  };
  if (order.side === "BUY") {
    return inventory.of(maker, order.outcome) >= size
      ? fill(order.outcome, "SELL", price)
      : fill(other, "BUY", opposite);
  }
  const canMerge = inventory.of(maker, other) >= size;
  return canMerge && random.chance(0.5) ? fill(other, "SELL", opposite) : fill(order.outcome, "BUY", price);
}

function mergePairs({ inventory, market, writer }: MarketScene, timestamp: number, maker: SimulatedWallet): void {
  const pairs = Math.min(inventory.of(maker, 0), inventory.of(maker, 1));
  if (pairs < MERGE_FROM_SHARES) return;
  inventory.add(maker, 0, -pairs);
  inventory.add(maker, 1, -pairs);
  writer.addOther({
    type: "MERGE",
    timestamp,
    wallet: maker.profile,
    market,
    outcome: null,
    side: "",
    size: pairs,
    usdcSize: pairs,
  });
}
