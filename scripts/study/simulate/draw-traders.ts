import { createRandom, type Random } from "../../provider/simulate/random.ts";
import { WORLDS, type World } from "./worlds.ts";

export const TRADER_KINDS = [
  "ordinary",
  "skilled",
  "market maker",
  "copier",
  "favourite buyer",
  "lottery buyer",
  "herd",
  "washer",
] as const;

export type TraderKind = (typeof TRADER_KINDS)[number];

export interface SimulatedTrader {
  readonly kind: TraderKind;
  /** Correlation of the trader's signal with the price's error, -1 to 1. */
  readonly sight: number;
  /** Relative trading activity, without a unit. */
  readonly activity: number;
  /** Median dollars of its orders. */
  readonly orderUsd: number;
  /** The period in which it trades, seconds. */
  readonly from: number;
  readonly to: number;
}

const sharesOf = (facts: World): readonly (readonly [TraderKind, number])[] => [
  ["skilled", facts.SKILLED_SHARE],
  ["market maker", facts.MAKER_SHARE],
  ["copier", facts.COPIER_SHARE],
  ["favourite buyer", facts.FAVOURITE_SHARE],
  ["lottery buyer", facts.LOTTERY_SHARE],
  ["herd", facts.HERD_SHARE],
  ["washer", facts.washerShare],
];

/** Activity as a multiple of an ordinary trader's. */
const BUSIER: Partial<Record<TraderKind, number>> = { skilled: 2, "market maker": 15 };

export function drawTraders(seed: number, count: number, facts: World = WORLDS.base): readonly SimulatedTrader[] {
  const random = createRandom(seed, "wallets");
  const shares = sharesOf(facts);
  return Array.from({ length: count }, () => {
    const kind = drawKind(random, shares);
    const busy = Math.exp(facts.ORDERS_DEVIATION * random.normal());
    const from = random.chance(0.4) ? 0 : random.next() * 300 * 86_400;
    return {
      kind,
      sight: drawSight(facts, random, kind),
      activity: busy * (BUSIER[kind] ?? 1),
      orderUsd:
        facts.ORDER_MEDIAN_USD *
        Math.exp(facts.WALLET_SIZE_DEVIATION * random.normal()) *
        busy ** facts.SIZE_BY_ACTIVITY,
      from,
      to: from + (30 + 335 * random.next()) * 86_400,
    };
  });
}

function drawKind(random: Random, shares: ReturnType<typeof sharesOf>): TraderKind {
  let left = random.next();
  for (const [kind, share] of shares) {
    left -= share;
    if (left < 0) return kind;
  }
  return "ordinary";
}

function drawSight(facts: World, random: Random, kind: TraderKind): number {
  if (kind === "skilled") return random.between(facts.SKILLED_SIGHT[0], facts.SKILLED_SIGHT[1]);
  const about = kind === "herd" ? facts.HERD_SIGHT : 0;
  const scale = facts.sightTail === 0 ? 1 : Math.exp(facts.sightTail * random.normal());
  return Math.min(0.95, Math.max(-0.95, about + facts.ORDINARY_SIGHT_DEVIATION * scale * random.normal()));
}
