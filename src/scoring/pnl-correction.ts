import { halfFourthDecimal, mostArithmeticLoss, type RoundedMovements } from "./provider-rounding.ts";

/** What we know of one outcome a wallet has held. Money and shares in millionths, fees excluded. */
export interface OwnOutcome extends RoundedMovements {
  readonly tokenId: string;
  /** Shares that no sale or merge has taken; they stay after the market has resolved. */
  readonly heldSharesMicro: bigint;
  readonly costMicro: bigint;
  readonly realizedMicro: bigint;
  /** Payout of the held shares less their cost; null until the market has resolved. */
  readonly settledMicro: bigint | null;
  /** What the held shares are worth; null without a price. */
  readonly valueMicro: bigint | null;
  /** Shares that left without a recorded acquisition. */
  readonly unmatchedSharesMicro: bigint;
}

/** The same outcome as the provider shows it, fees excluded there too. Null is not told. */
export interface TheirOutcome {
  readonly tokenId: string;
  readonly heldSharesMicro: bigint;
  /** All shares ever bought or split. */
  readonly boughtSharesMicro: bigint | null;
  readonly realizedMicro: bigint | null;
  readonly unrealizedMicro: bigint | null;
  /** Whether the held shares' market has resolved. */
  readonly isRedeemable: boolean | null;
}

/** One market as both sides have it. */
export interface ComparedMarket {
  readonly own: readonly OwnOutcome[];
  readonly theirs: readonly TheirOutcome[];
  /** False when the wallet did something there that our positions do not follow, or price otherwise than the provider. */
  readonly isFollowed: boolean;
  /** Whether a redemption of the wallet is recorded there. */
  readonly isRedeemed: boolean;
}

export interface PnlCorrection {
  /** Ours less theirs over the measured markets; null when there are none, or when rounding explains it. */
  readonly correctionMicro: bigint | null;
  /** Our realized profit in the measured markets; null when there are none. */
  readonly realizedMicro: bigint | null;
  /** That, and what is held there above its cost; null also when a holding has no price. */
  readonly netMicro: bigint | null;
  readonly marketsMeasured: number;
  readonly marketsExcluded: number;
}

const CENT_MICRO = 10_000n;
/** The provider prints four decimals. */
const STEP_MICRO = 100n;

/**
 * How far the provider's account of a wallet differs from ours.
 *
 * Compared market by market: what is realized, and once the market has resolved also the result of what was held to the end. Of ours that is
 * realized + settled; of theirs realized_pnl, and unrealized_pnl where resolved shares have not been redeemed. A market counts only where both
 * sides agree on the facts, so that the difference is one of account: they list the same outcomes, what was bought and what is held are equal to
 * the printed decimals, and we know the basis of every share. All others are excluded, never counted in part.
 *
 * A difference within a cent, or within what the provider's rounding can move in all measured positions together, is no correction.
 *
 * Source: our own definition, `realized_by_market_v1`; the rounding as in docs/reconciliation.md.
 */
export function measureCorrection(markets: readonly ComparedMarket[]): PnlCorrection {
  const measured = markets.flatMap((market) => measureMarket(market) ?? []);
  const marketsExcluded = markets.length - measured.length;
  if (measured.length === 0) return { correctionMicro: null, realizedMicro: null, netMicro: null, marketsMeasured: 0, marketsExcluded };
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
function measureMarket({ own, theirs, isFollowed, isRedeemed }: ComparedMarket): MeasuredMarket | null {
  if (!isFollowed || own.length === 0 || own.length !== theirs.length) return null;
  const isResolved = own[0]?.settledMicro !== null;
  const byToken = new Map(theirs.map((outcome) => [outcome.tokenId, outcome]));
  let market: MeasuredMarket = { realizedMicro: 0n, theirsMicro: 0n, netMicro: 0n, roundingMicro: 0n };
  for (const ours of own) {
    const their = byToken.get(ours.tokenId);
    if (their === undefined || (ours.settledMicro !== null) !== isResolved) return null;
    if (!agree(ours, their, isResolved && isRedeemed)) return null;
    const theirsMicro = theirResult(their, isResolved);
    if (theirsMicro === null) return null;
    const realizedMicro = ours.realizedMicro + (ours.settledMicro ?? 0n);
    const unrealizedMicro =
      isResolved || ours.heldSharesMicro === 0n ? 0n : ours.valueMicro === null ? null : ours.valueMicro - ours.costMicro;
    market = {
      realizedMicro: market.realizedMicro + realizedMicro,
      theirsMicro: market.theirsMicro + theirsMicro,
      netMicro: market.netMicro === null || unrealizedMicro === null ? null : market.netMicro + realizedMicro + unrealizedMicro,
      roundingMicro: market.roundingMicro + roundingOf(ours),
    };
  }
  return market;
}

/** Whether both sides saw the same shares come and go. @param isPaid the market has resolved and the wallet has redeemed something there */
function agree(ours: OwnOutcome, their: TheirOutcome, isPaid: boolean): boolean {
  if (ours.unmatchedSharesMicro !== 0n || their.boughtSharesMicro === null) return false;
  const isBoughtSame = magnitude(ours.addedSharesMicro - their.boughtSharesMicro) <= STEP_MICRO;
  const isHeldSame = magnitude(ours.heldSharesMicro - their.heldSharesMicro) <= STEP_MICRO;
  // A redemption takes the shares off the provider's row; with us they have settled.
  return isBoughtSame && (isHeldSame || (isPaid && their.heldSharesMicro === 0n));
}

/** @returns null when the provider does not tell it, or does not know yet (or we do not) that the market has resolved */
function theirResult({ heldSharesMicro, realizedMicro, unrealizedMicro, isRedeemable }: TheirOutcome, isResolved: boolean): bigint | null {
  if (heldSharesMicro === 0n) return realizedMicro;
  if (isRedeemable !== isResolved || realizedMicro === null) return null;
  if (!isResolved) return realizedMicro;
  return unrealizedMicro === null ? null : realizedMicro + unrealizedMicro;
}

/** Two printed figures at most, beside the arithmetic. */
function roundingOf(ours: OwnOutcome): bigint {
  const [half, lost] = [halfFourthDecimal(ours.addedSharesMicro), mostArithmeticLoss(ours)];
  return (half < lost ? half : lost) + 2n * STEP_MICRO;
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);
