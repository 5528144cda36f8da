import { quotedPrice } from "./quoted-price.ts";
import type { MarketScene } from "../market-scene.ts";
import type { Random } from "../random.ts";
import type { SimulatedWallet } from "../wallets.ts";
import type { TakerDraw } from "./crowd.ts";

export interface Order {
  readonly wallet: SimulatedWallet;
  readonly outcome: 0 | 1;
  readonly side: "BUY" | "SELL";
  readonly shares: number;
  /** The price of the first level it takes. */
  readonly price: number;
}

const HALF_SPREAD = 0.01;
/** How far a wallet of skill 1 sees ahead, as a share of the market's information. */
const FORESIGHT = 0.5;
const SELL_CHANCE = 0.3;
const LEAST_SHARES = 1;
const ATTEMPTS = 6;
/**
 * Any wallet bets big now and then: of recorded wallets with large trades, more than half have a single one. The
 * share of such orders and the exponent of their Pareto tail, from the least amount on, are near those of the recordings.
 */
const BIG_BET_CHANCE = 0.01;
const BIG_BET_USD = 1000;
const BIG_BET_TAIL = 1.2;
const MOST_BIG_BET_USD = 200_000;

/**
 * The next taker order at a moment; null when no drawn wallet trades.
 *
 * @param last the previous order in this market
 */
export function chooseOrder(scene: MarketScene, drawTaker: TakerDraw, ms: number, last: Order | null): Order | null {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const order = orderOf(scene, drawTaker(), ms, last);
    if (order !== null) return order;
  }
  return null;
}

function orderOf(scene: MarketScene, wallet: SimulatedWallet, ms: number, last: Order | null): Order | null {
  const { plan, path, random, inventory } = scene;
  const price = quotedPrice(plan, path, ms);
  const owned: 0 | 1 = inventory.of(wallet, 0) >= inventory.of(wallet, 1) ? 0 : 1;
  const ownedShares = inventory.of(wallet, owned);
  const outcome = chooseOutcome(scene, wallet, ms, price, last);
  if (ownedShares >= LEAST_SHARES && outcome !== owned && random.chance(SELL_CHANCE)) {
    const bid = quote((owned === 0 ? price : 1 - price) - HALF_SPREAD);
    return {
      wallet,
      outcome: owned,
      side: "SELL",
      shares: random.chance(0.6) ? ownedShares : Math.floor(ownedShares * 50) / 100,
      price: bid,
    };
  }
  if (outcome === null) return null;
  const ask = quote((outcome === 0 ? price : 1 - price) + HALF_SPREAD);
  const usd = drawUsd(random, wallet);
  const shares = Math.round((usd / ask) * 100) / 100;
  return shares < LEAST_SHARES ? null : { wallet, outcome, side: "BUY", shares, price: ask };
}

function drawUsd(random: Random, { orderUsd, orderDeviation }: SimulatedWallet): number {
  const usual = orderUsd * Math.exp(orderDeviation * random.normal());
  if (!random.chance(BIG_BET_CHANCE)) return usual;
  return Math.max(usual, Math.min(BIG_BET_USD * random.next() ** (-1 / BIG_BET_TAIL), MOST_BIG_BET_USD));
}

const quote = (price: number) => Math.round(Math.min(Math.max(price, 0.01), 0.99) * 100) / 100;

/** The outcome the wallet would buy now; null when it would not buy. */
function chooseOutcome(
  scene: MarketScene,
  wallet: SimulatedWallet,
  ms: number,
  price: number,
  last: Order | null,
): 0 | 1 | null {
  const { plan, path, random } = scene;
  switch (wallet.archetype) {
    case "favourite_buyer":
      return price > 0.8 ? 0 : price < 0.2 ? 1 : null;
    case "lottery_buyer":
      return price < 0.15 ? 0 : price > 0.85 ? 1 : null;
    case "copy_trader":
      return last !== null &&
        last.side === "BUY" &&
        (last.wallet.archetype === "skilled" || last.wallet.archetype === "whale")
        ? last.outcome
        : null;
    default: {
      // The wallet's knowledge of the coming price move, plus noise that shrinks with skill.
      const ahead = path.at(plan.progressAt(ms) + FORESIGHT) - price;
      const view = wallet.skill * ahead + (1 - Math.abs(wallet.skill)) * 0.06 * random.normal();
      if (wallet.archetype === "skilled" && Math.abs(view) < HALF_SPREAD) return null;
      return view > 0 ? 0 : 1;
    }
  }
}
