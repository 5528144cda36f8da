/** What is known of one holder's skill in the category of the market. */
export interface HolderSkill {
  readonly usdMicro: bigint;
  /** Null without a record of the category. `stale`: computed too long ago. */
  readonly status: "live" | "insufficient" | "degraded" | "stale" | null;
  readonly events: number | null;
  /** Mean edge and its lower 95 % bound, in dollars a share; null unless live. */
  readonly edgeMean: number | null;
  readonly edgeLower95: number | null;
}

export interface PileSkill {
  readonly status: "live" | "insufficient" | "stale" | "unknown" | "degraded";
  readonly eligibleHolders: number;
  readonly coveredHolders: number;
  readonly backedMicro: bigint;
  readonly coveredMicro: bigint;
  /** Fractions 0 to 1; null without any dollars. */
  readonly coverage: number | null;
  readonly specialistShare: number | null;
  readonly largestShare: number | null;
  readonly specialistMicro: bigint;
  /** Means weighted by dollars; null while no holder with dollars is covered. */
  readonly edgeMean: number | null;
  readonly lowerMean: number | null;
  readonly minimumEvents: number | null;
}

type CoveredSkill = HolderSkill & {
  readonly events: number;
  readonly edgeMean: number;
  readonly edgeLower95: number;
};

const isCovered = (holder: HolderSkill): holder is CoveredSkill =>
  holder.status === "live" && holder.edgeMean !== null && holder.edgeLower95 !== null && holder.events !== null;

/** Shown for a pile without any live record: the most useful of its holders' states. */
const BEST_FIRST = ["stale", "degraded", "insufficient"] as const;

/**
 * The category skill of the holders of a pile, weighted by their dollars. A specialist is a covered holder whose lower
 * 95 % bound is above 0. The figures never change the ranking.
 */
export function measurePileSkill(holders: readonly HolderSkill[]): PileSkill {
  const covered = holders.filter(isCovered);
  const backedMicro = sumOf(holders);
  const coveredMicro = sumOf(covered);
  const specialistMicro = sumOf(covered.filter(({ edgeLower95 }) => edgeLower95 > 0));
  const largestMicro = holders.reduce((largest, { usdMicro }) => (usdMicro > largest ? usdMicro : largest), 0n);
  const share = (micro: bigint) => (backedMicro === 0n ? null : Number(micro) / Number(backedMicro));
  const meanOf = (value: (holder: CoveredSkill) => number) =>
    coveredMicro === 0n
      ? null
      : covered.reduce((sum, holder) => sum + Number(holder.usdMicro) * value(holder), 0) / Number(coveredMicro);
  return {
    status:
      covered.length > 0
        ? "live"
        : (BEST_FIRST.find((status) => holders.some((holder) => holder.status === status)) ?? "unknown"),
    eligibleHolders: holders.length,
    coveredHolders: covered.length,
    backedMicro,
    coveredMicro,
    coverage: share(coveredMicro),
    specialistMicro,
    specialistShare: share(specialistMicro),
    largestShare: share(largestMicro),
    edgeMean: meanOf(({ edgeMean }) => edgeMean),
    lowerMean: meanOf(({ edgeLower95 }) => edgeLower95),
    minimumEvents: covered.length === 0 ? null : Math.min(...covered.map(({ events }) => events)),
  };
}

const sumOf = (holders: readonly HolderSkill[]): bigint => holders.reduce((sum, { usdMicro }) => sum + usdMicro, 0n);
