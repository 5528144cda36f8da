import type { Random } from "../random.ts";
import type { SimulatedWallet } from "../wallets.ts";

/** The wallets of a world by role. */
export interface Crowd {
  readonly all: readonly SimulatedWallet[];
  readonly makers: readonly SimulatedWallet[];
  /** Draws takers, weighted by how often they trade. */
  drawTakers(random: Random): TakerDraw;
}

export type TakerDraw = () => SimulatedWallet;

/**
 * The step of an additive recurrence with the golden ratio: its draws cover all wallets evenly, so that each market
 * gets about its share of every kind of wallet, and large trades arrive steadily.
 */
const GOLDEN_STEP = (Math.sqrt(5) - 1) / 2;

export function createCrowd(all: readonly SimulatedWallet[]): Crowd {
  const makers = all.filter((wallet) => wallet.archetype === "market_maker");
  const takers = all.filter((wallet) => wallet.archetype !== "market_maker");
  let total = 0;
  const sums = takers.map((wallet) => (total += wallet.weight));
  return {
    all,
    makers,
    drawTakers(random) {
      let at = random.next();
      return () => {
        at = (at + GOLDEN_STEP) % 1;
        return takers[sums.findIndex((sum) => sum > at * total)] ?? random.pick(takers);
      };
    },
  };
}
