import type { GameTitle } from "../../scoring/metrics/settled-market.ts";
import type { TraderPosition } from "./trader-position.ts";

/**
 * One trader's activity and result in one market, both outcomes together. Fees count in the result but not in
 * the cost.
 */
export interface TraderMarket {
  readonly conditionId: string;
  readonly category: string | null;
  /** The title of an Esports market; null in other categories and where unknown. */
  readonly game: GameTitle | null;
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

/** The positions of one market, both outcomes together. */
interface MarketSum extends Pick<TraderPosition, "conditionId" | "category" | "game" | "settledAtMs"> {
  costMicro: bigint;
  /** Shares bought, split or received from conversions. */
  sharesMicro: bigint;
  pnlMicro: bigint;
  /** Payout of these shares, in millionths of a millionth; null where the payout of an outcome is unknown. */
  payoutPico: bigint | null;
  isMatched: boolean;
  isSettled: boolean;
  hasConversion: boolean;
  /** Outcomes that were bought or split. */
  sides: number;
}

/** Sums one trader's positions by known market; the outcomes of a market need not follow each other. */
export class MarketSums {
  readonly #byMarket = new Map<number, MarketSum>();
  /** One text for each category: rows bring a copy each. */
  readonly #categories = new Map<string | null, string | null>();

  add(position: TraderPosition): void {
    if (!position.isKnown) return;
    let sum = this.#byMarket.get(position.marketId);
    if (sum === undefined) {
      sum = emptySum(position, this.#share(position.category));
      this.#byMarket.set(position.marketId, sum);
    }
    addPosition(sum, position);
  }

  /**
   * The markets by condition id: ties in later sorts do not depend on the order of ingest. Empties the sums, so that no market
   * is in memory twice.
   */
  take(): TraderMarket[] {
    const markets: TraderMarket[] = [];
    for (const [id, sum] of this.#byMarket) {
      this.#byMarket.delete(id);
      markets.push(toMarket(sum));
    }
    return markets.sort((a, b) => (a.conditionId < b.conditionId ? -1 : 1));
  }

  #share(category: string | null): string | null {
    const known = this.#categories.get(category);
    if (known !== undefined) return known;
    this.#categories.set(category, category);
    return category;
  }
}

const emptySum = ({ conditionId, game, settledAtMs }: TraderPosition, category: string | null): MarketSum => ({
  ...{ conditionId, category, game, settledAtMs },
  ...{ costMicro: 0n, sharesMicro: 0n, pnlMicro: 0n, payoutPico: 0n },
  ...{ isMatched: true, isSettled: true, hasConversion: false, sides: 0 },
});

function addPosition(sum: MarketSum, position: TraderPosition): void {
  const { boughtUsdMicro, boughtSharesMicro, given, payoutPpm } = position;
  const sharesMicro = boughtSharesMicro + (given?.sharesMicro ?? 0n);
  sum.costMicro += boughtUsdMicro + (given?.usdMicro ?? 0n);
  sum.sharesMicro += sharesMicro;
  sum.pnlMicro += position.pnlMicro;
  if (payoutPpm === null) sum.payoutPico = null;
  else if (sum.payoutPico !== null) sum.payoutPico += sharesMicro * BigInt(payoutPpm);
  sum.isMatched &&= position.isMatched;
  sum.isSettled &&= position.settledAtMs !== null;
  sum.hasConversion ||= given?.hasConversion === true;
  if (boughtSharesMicro > 0n || given?.hasSplit === true) sum.sides += 1;
}

function toMarket(sum: MarketSum): TraderMarket {
  const { conditionId, category, game, costMicro, sharesMicro, pnlMicro, payoutPico, isMatched, isSettled } = sum;
  const isPriced = isMatched && sharesMicro > 0n && !sum.hasConversion;
  return {
    ...{ conditionId, category, game, costMicro, pnlMicro },
    settledAtMs: isSettled && isMatched ? sum.settledAtMs : null,
    entryPrice: isPriced ? Math.min(1, Number(costMicro) / Number(sharesMicro)) : null,
    payout: isPriced && isSettled && payoutPico !== null ? Number(payoutPico) / Number(sharesMicro * 1_000_000n) : null,
    isTwoSided: sum.sides > 1,
  };
}
