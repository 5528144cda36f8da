import { halfFourthDecimal, maxArithmeticLoss, type RoundingInput } from "./provider-rounding.ts";

/** Our figures of one outcome a trader has held. Money and shares in millionths, without fees. */
export interface OwnOutcome extends RoundingInput {
  readonly tokenId: string;
  /** Shares not removed by a sale or merge; they remain after the market has resolved. */
  readonly openSharesMicro: bigint;
  readonly costMicro: bigint;
  readonly realizedMicro: bigint;
  /** Payout of those shares minus their cost; null until the market has resolved. */
  readonly settledMicro: bigint | null;
  /** Value of those shares; null without a price. */
  readonly valueMicro: bigint | null;
  /** Shares removed without a recorded acquisition. */
  readonly unmatchedSharesMicro: bigint;
}

/** The provider's figures of the same outcome, also without fees. Null means the provider gives no value. */
export interface ProviderOutcomeFigures {
  readonly tokenId: string;
  readonly openSharesMicro: bigint;
  /** All shares ever bought or split. */
  readonly boughtSharesMicro: bigint | null;
  readonly realizedMicro: bigint | null;
  readonly unrealizedMicro: bigint | null;
  /** Whether the market of the held shares has resolved. */
  readonly isRedeemable: boolean | null;
}

/** One market with both sides' figures. */
export interface MarketComparison {
  readonly own: readonly OwnOutcome[];
  readonly theirs: readonly ProviderOutcomeFigures[];
  /**
   * False when the trader has activity there that our positions do not include, or that we price differently
   * from the provider.
   */
  readonly isFollowed: boolean;
  /** Whether a redemption of the trader is recorded there. */
  readonly isRedeemed: boolean;
}

export interface PnlCorrection {
  /** Ours minus theirs over the measured markets; null when there are none, or when rounding explains it. */
  readonly correctionMicro: bigint | null;
  /** Our realized profit in the measured markets; null when there are none. */
  readonly realizedMicro: bigint | null;
  /** Realized plus unrealized profit there; null also when an open position has no price. */
  readonly netMicro: bigint | null;
  readonly marketsMeasured: number;
  readonly marketsExcluded: number;
}

const CENT_MICRO = 10_000n;
/** The provider prints four decimals. */
const STEP_MICRO = 100n;

/**
 * Measures the difference between the provider's profit figures of a trader and ours.
 *
 * The comparison is per market: the realized profit and, once the market has resolved, the result of the
 * shares held to the end. Ours is realized + settled; theirs is realized_pnl, plus unrealized_pnl where
 * resolved shares have not been redeemed. A market is measured only where both sides agree on the facts, so
 * that the difference is one of accounting: they list the same outcomes, shares bought and shares held are
 * equal to the printed decimals, and we know the basis of every share. All other markets are excluded, never
 * counted in part.
 *
 * A difference within a cent, or within the total possible rounding of the provider in all measured
 * positions, is not a correction.
 *
 * Source: our own definition, `realized_by_market_v1`; the rounding as in docs/reconciliation.md.
 */
export function measureCorrection(markets: readonly MarketComparison[]): PnlCorrection {
  const measured = markets.flatMap((market) => measureMarket(market) ?? []);
  const marketsExcluded = markets.length - measured.length;
  if (measured.length === 0)
    return { correctionMicro: null, realizedMicro: null, netMicro: null, marketsMeasured: 0, marketsExcluded };
  const sum = (of: (market: MeasuredMarket) => bigint) => measured.reduce((total, market) => total + of(market), 0n);
  const difference = sum((market) => market.realizedMicro - market.theirsMicro);
  const explained = sum((market) => market.roundingMicro);
  return {
    correctionMicro: magnitude(difference) <= (explained > CENT_MICRO ? explained : CENT_MICRO) ? null : difference,
    realizedMicro: sum((market) => market.realizedMicro),
    netMicro: measured.every((market) => market.netMicro !== null) ? sum((market) => market.netMicro ?? 0n) : null,
    marketsMeasured: measured.length,
    marketsExcluded,
  };
}

interface MeasuredMarket {
  readonly realizedMicro: bigint;
  readonly theirsMicro: bigint;
  readonly netMicro: bigint | null;
  readonly roundingMicro: bigint;
}

/** @returns null when the market cannot be compared */
function measureMarket({ own, theirs, isFollowed, isRedeemed }: MarketComparison): MeasuredMarket | null {
  if (!isFollowed || own.length === 0 || own.length !== theirs.length) return null;
  const isResolved = own[0]?.settledMicro !== null;
  const byToken = new Map(theirs.map((outcome) => [outcome.tokenId, outcome]));
  let market: MeasuredMarket = { realizedMicro: 0n, theirsMicro: 0n, netMicro: 0n, roundingMicro: 0n };
  for (const ours of own) {
    const their = byToken.get(ours.tokenId);
    if (their === undefined || (ours.settledMicro !== null) !== isResolved) return null;
    if (!areFactsEqual(ours, their, isResolved && isRedeemed)) return null;
    const theirsMicro = readTheirResult(their, isResolved);
    if (theirsMicro === null) return null;
    const realizedMicro = ours.realizedMicro + (ours.settledMicro ?? 0n);
    const unrealizedMicro =
      isResolved || ours.openSharesMicro === 0n
        ? 0n
        : ours.valueMicro === null
          ? null
          : ours.valueMicro - ours.costMicro;
    market = {
      realizedMicro: market.realizedMicro + realizedMicro,
      theirsMicro: market.theirsMicro + theirsMicro,
      netMicro:
        market.netMicro === null || unrealizedMicro === null ? null : market.netMicro + realizedMicro + unrealizedMicro,
      roundingMicro: market.roundingMicro + roundingOf(ours),
    };
  }
  return market;
}

/**
 * Whether both sides recorded the same additions and removals of shares.
 *
 * @param isPaid the market has resolved and the trader has redeemed shares there
 */
function areFactsEqual(ours: OwnOutcome, their: ProviderOutcomeFigures, isRedeemed: boolean): boolean {
  if (ours.unmatchedSharesMicro !== 0n || their.boughtSharesMicro === null) return false;
  const isBoughtEqual = magnitude(ours.addedSharesMicro - their.boughtSharesMicro) <= STEP_MICRO;
  const isHeldEqual = magnitude(ours.openSharesMicro - their.openSharesMicro) <= STEP_MICRO;
  // A redemption removes the shares from the provider's position; in ours they have settled.
  return isBoughtEqual && (isHeldEqual || (isRedeemed && their.openSharesMicro === 0n));
}

/**
 * @returns null when the provider gives no value, or when only one side knows that the market has resolved
 */
function readTheirResult(
  { openSharesMicro, realizedMicro, unrealizedMicro, isRedeemable }: ProviderOutcomeFigures,
  isResolved: boolean,
): bigint | null {
  if (openSharesMicro === 0n) return realizedMicro;
  if (isRedeemable !== isResolved || realizedMicro === null) return null;
  if (!isResolved) return realizedMicro;
  return unrealizedMicro === null ? null : realizedMicro + unrealizedMicro;
}

/** The rounding of the arithmetic, plus that of at most two printed figures. */
function roundingOf(ours: OwnOutcome): bigint {
  const [half, lost] = [halfFourthDecimal(ours.addedSharesMicro), maxArithmeticLoss(ours)];
  return (half < lost ? half : lost) + 2n * STEP_MICRO;
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);
