import type { Random } from "../random.ts";
import type { SimulatedWallet } from "../wallets.ts";

/** The wallets of a world by role. */
export interface Crowd {
  readonly all: readonly SimulatedWallet[];
  readonly makers: readonly SimulatedWallet[];
  /** A random taker, weighted by how often it trades. */
  pickTaker(random: Random): SimulatedWallet;
}

export function createCrowd(all: readonly SimulatedWallet[]): Crowd {
  const makers = all.filter((wallet) => wallet.archetype === "market_maker");
  const takers = all.filter((wallet) => wallet.archetype !== "market_maker");
  let total = 0;
  const sums = takers.map((wallet) => (total += wallet.weight));
  return {
    all,
    makers,
    pickTaker(random) {
      const drawn = random.next() * total;
      return takers[sums.findIndex((sum) => sum > drawn)] ?? random.pick(takers);
    },
  };
}
