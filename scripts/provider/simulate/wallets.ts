import type { Profile } from "../provider-world.ts";
import { createRandom, type Random } from "./random.ts";
import { createSimulatedIds } from "./simulated-ids.ts";

export type Archetype =
  | "noise"
  | "unskilled"
  | "skilled"
  | "favourite_buyer"
  | "lottery_buyer"
  | "copy_trader"
  | "whale"
  | "market_maker";

export interface SimulatedWallet {
  readonly profile: Profile;
  readonly archetype: Archetype;
  /**
   * The fraction of the next price move that the wallet already knows: 0 none, negative the opposite. Latent,
   * never served.
   */
  readonly skill: number;
  /** How often it trades, relative to the others. */
  readonly weight: number;
  /** Median size of its orders, dollars, and the deviation of the logarithm. */
  readonly orderUsd: number;
  readonly orderDeviation: number;
}

interface Group {
  readonly archetype: Archetype;
  readonly wallets: number;
  /** Least and most skill. */
  readonly skill: readonly [number, number];
  /** Least and most median order, dollars. */
  readonly orderUsd: readonly [number, number];
  /** How often a wallet trades, relative to the others: its median, and the deviation of its logarithm. */
  readonly pace: readonly [number, number];
  /** Deviation of the logarithm of an order. */
  readonly orderDeviation: number;
}

const ORDINARY = { pace: [1, 1], orderDeviation: 0.7 } as const;

/**
 * The two last groups make most of the large trades: a few dozen wallets, ten of which make half of them, in
 * sizes that halve from $5,000 to $10,000 and have a long tail. That is the form of recorded large trades
 * (docs/methodology.md, "With few traders"). One in three of these wallets is skilled, and trades often enough
 * to show it within a week.
 */
const POPULATION: readonly Group[] = [
  { archetype: "noise", wallets: 400, skill: [0, 0], orderUsd: [8, 60], ...ORDINARY },
  { archetype: "unskilled", wallets: 40, skill: [-0.25, -0.05], orderUsd: [15, 80], ...ORDINARY },
  { archetype: "skilled", wallets: 18, skill: [0.25, 0.7], orderUsd: [80, 600], ...ORDINARY },
  { archetype: "favourite_buyer", wallets: 70, skill: [0, 0], orderUsd: [60, 400], ...ORDINARY },
  { archetype: "lottery_buyer", wallets: 80, skill: [-0.05, 0], orderUsd: [3, 20], ...ORDINARY },
  { archetype: "copy_trader", wallets: 24, skill: [0, 0], orderUsd: [30, 150], ...ORDINARY },
  { archetype: "market_maker", wallets: 12, skill: [0, 0], orderUsd: [100, 500], ...ORDINARY },
  { archetype: "whale", wallets: 20, skill: [-0.05, 0.15], orderUsd: [1000, 6000], pace: [0.5, 1], orderDeviation: 1 },
  { archetype: "skilled", wallets: 12, skill: [0.5, 0.7], orderUsd: [1000, 6000], pace: [2.5, 0.4], orderDeviation: 1 },
];

const FIRST = [
  "quiet",
  "amber",
  "northern",
  "paper",
  "lucid",
  "brisk",
  "velvet",
  "iron",
  "salty",
  "candid",
  "early",
  "hollow",
];
const SECOND = [
  "otter",
  "lantern",
  "harbor",
  "magpie",
  "comet",
  "badger",
  "orchid",
  "ferry",
  "quartz",
  "heron",
  "anchor",
  "willow",
];

/** The wallets of a seed. Their names mark them as simulated. */
export function listSimulatedWallets(seed: number): readonly SimulatedWallet[] {
  const ids = createSimulatedIds(seed);
  const groups = POPULATION.flatMap((group) => Array.from({ length: group.wallets }, () => group));
  return groups.map(({ archetype, skill, orderUsd, pace, orderDeviation }, index) => {
    const random = createRandom(seed, "wallet", index);
    return {
      profile: createProfile(ids.address(index), index, random),
      archetype,
      skill: random.between(...skill),
      weight: pace[0] * Math.exp(pace[1] * random.normal()),
      orderUsd: random.between(...orderUsd),
      orderDeviation,
    };
  });
}

function createProfile(address: string, index: number, random: Random): Profile {
  // Some users of the provider have no name.
  const name = random.chance(0.85) ? `sim-${random.pick(FIRST)}-${random.pick(SECOND)}-${index}` : "";
  return {
    address,
    name,
    pseudonym: name === "" ? "" : `Simulated-${random.pick(SECOND)}`,
    bio: "",
    profileImage: "",
    createdAtMs: Date.UTC(2026, random.integer(0, 8), random.integer(1, 28)),
  };
}

/**
 * The latent skills of a simulation, to compare with the product's grades.
 *
 * @public read by tests only
 */
export function listLatentSkills(
  seed: number,
): readonly { address: string; name: string; archetype: Archetype; skill: number }[] {
  return listSimulatedWallets(seed).map(({ profile, archetype, skill }) => ({
    address: profile.address,
    name: profile.name,
    archetype,
    skill,
  }));
}
