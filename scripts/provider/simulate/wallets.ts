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
  /** Median size of its orders, dollars. */
  readonly orderUsd: number;
}

/** Archetype, number of wallets, minimum and maximum skill, minimum and maximum median order in dollars. */
const POPULATION: readonly (readonly [Archetype, number, number, number, number, number])[] = [
  ["noise", 400, 0, 0, 8, 60],
  ["unskilled", 40, -0.25, -0.05, 15, 80],
  ["skilled", 22, 0.25, 0.7, 80, 600],
  ["favourite_buyer", 70, 0, 0, 60, 400],
  ["lottery_buyer", 80, -0.05, 0, 3, 20],
  ["copy_trader", 24, 0, 0, 30, 150],
  ["whale", 12, -0.05, 0.15, 2500, 9000],
  ["market_maker", 12, 0, 0, 100, 500],
  // These make large trades of well-graded traders.
  ["skilled", 6, 0.5, 0.7, 10_000, 50_000],
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
  const archetypes = POPULATION.flatMap((group) => Array.from({ length: group[1] }, () => group));
  return archetypes.map(([archetype, , leastSkill, mostSkill, leastUsd, mostUsd], index) => {
    const random = createRandom(seed, "wallet", index);
    return {
      profile: createProfile(ids.address(index), index, random),
      archetype,
      skill: random.between(leastSkill, mostSkill),
      weight: Math.exp(random.normal()) * (archetype === "whale" ? 0.6 : 1),
      orderUsd: random.between(leastUsd, mostUsd),
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
