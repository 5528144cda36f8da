import type { TraderPosition } from "./load-trader-positions.ts";

/**
 * One trader's activity and result in one market, both outcomes together. Fees count in the result but not in
 * the cost.
 */
export interface TraderMarket {
  readonly conditionId: string;
  readonly category: string | null;
  /** The provider's tag slugs of an Esports market; null in other categories. */
  readonly esportsTags: readonly string[] | null;
  /**
   * Dollars paid in buys and splits, plus the uniform price of shares received from conversions, in
   * millionths.
   */
  readonly costMicro: bigint;
  readonly pnlMicro: bigint;
  /** Null until all its positions there have settled, and when unmatched shares make the result unknown. */
  readonly settledAtMs: number | null;
  /**
   * Price per share bought or split. Null without any, after a sale of shares whose basis is unknown, and
   * when a conversion gave shares: those are booked at our price, not at one that the trader paid.
   */
  readonly entryPrice: number | null;
  /** Payout per share bought or split, 0 to 1. Null where `entryPrice` is, and until all positions have settled. */
  readonly payout: number | null;
  /** Whether the trader bought or split shares of both outcomes. */
  readonly isTwoSided: boolean;
}

/** The sums of the positions in each known market, by condition id: ties in later sorts do not depend on the order of ingest. */
export function sumMarkets(positions: readonly TraderPosition[]): TraderMarket[] {
  const byMarket = Map.groupBy(
    positions.filter(({ isKnown }) => isKnown),
    ({ marketId }) => marketId,
  );
  return [...byMarket.values()]
    .flatMap(([first, ...others]) => (first === undefined ? [] : sumMarket(first, [first, ...others])))
    .toSorted((a, b) => (a.conditionId < b.conditionId ? -1 : 1));
}

function sumMarket(first: TraderPosition, all: readonly TraderPosition[]): TraderMarket {
  const { conditionId, category, esportsTags } = first;
  const cost = sum(all, ({ boughtUsdMicro, given }) => boughtUsdMicro + (given?.usdMicro ?? 0n));
  const shares = sum(all, acquired);
  const isMatched = all.every((position) => position.isMatched);
  const isSettled = all.every(({ settledAtMs }) => settledAtMs !== null);
  const isPriced = isMatched && shares > 0n && !all.some(({ given }) => given?.hasConversion === true);
  return {
    ...{ conditionId, category, esportsTags },
    costMicro: cost,
    pnlMicro: sum(all, ({ pnlMicro }) => pnlMicro),
    settledAtMs: isSettled && isMatched ? first.settledAtMs : null,
    entryPrice: isPriced ? Math.min(1, Number(cost) / Number(shares)) : null,
    payout: isPriced && isSettled ? averagePayout(all, shares) : null,
    isTwoSided:
      all.filter(({ boughtSharesMicro, given }) => boughtSharesMicro > 0n || given?.hasSplit === true).length > 1,
  };
}

/** @returns null where the payout of an outcome is unknown */
function averagePayout(all: readonly TraderPosition[], shares: bigint): number | null {
  let paidMicro = 0n;
  for (const position of all) {
    if (position.payoutPpm === null) return null;
    paidMicro += acquired(position) * BigInt(position.payoutPpm);
  }
  return Number(paidMicro) / Number(shares * 1_000_000n);
}

const acquired = ({ boughtSharesMicro, given }: TraderPosition): bigint =>
  boughtSharesMicro + (given?.sharesMicro ?? 0n);

const sum = (positions: readonly TraderPosition[], pick: (position: TraderPosition) => bigint): bigint =>
  positions.reduce((total, position) => total + pick(position), 0n);
