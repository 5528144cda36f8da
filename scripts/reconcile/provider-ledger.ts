import { isAddition, type FoldEntry } from "../../src/scoring/position-fold.ts";
import { maxArithmeticLoss } from "../../src/scoring/provider-rounding.ts";

/**
 * The provider's own arithmetic for one position, in whole millionths that are cut, not rounded, at every
 * step. It separates the provider's rounding from differences of facts or definitions; no figure of the
 * product comes from it.
 *
 * Source: the provider's P&L subgraph (weighted average; splits and merges at 0.50; conversions are not
 * replayed; sales beyond the position ignored; a redemption is a sale of everything at the payout).
 * docs/reconciliation.md has the evidence that its rows still come from this arithmetic.
 */
export interface ProviderLedger {
  readonly sharesMicro: bigint;
  /** Average price of a share, cut at every addition. */
  readonly averageMicro: bigint;
  readonly realizedMicro: bigint;
}

const MICRO = 1_000_000n;

export function replayProviderLedger(movements: readonly FoldEntry[]): ProviderLedger {
  return movements.reduce(applyAsProvider, { sharesMicro: 0n, averageMicro: 0n, realizedMicro: 0n });
}

/**
 * The gain when the provider's position is sold at a price (millionths): a redemption, or the mark of an open
 * position.
 */
export function gainAtPrice({ sharesMicro, averageMicro }: ProviderLedger, priceMicro: bigint): bigint {
  return (sharesMicro * (priceMicro - averageMicro)) / MICRO;
}

function applyAsProvider(ledger: ProviderLedger, movement: FoldEntry): ProviderLedger {
  const { sharesMicro, averageMicro, realizedMicro } = ledger;
  if (movement.sharesMicro === 0n) return ledger;
  const priceMicro = (movement.usdMicro * MICRO) / movement.sharesMicro;
  if (isAddition(movement.kind)) {
    const total = sharesMicro + movement.sharesMicro;
    return {
      ...ledger,
      sharesMicro: total,
      averageMicro: (averageMicro * sharesMicro + priceMicro * movement.sharesMicro) / total,
    };
  }
  const sold = movement.sharesMicro < sharesMicro ? movement.sharesMicro : sharesMicro;
  return {
    sharesMicro: sharesMicro - sold,
    averageMicro,
    realizedMicro: realizedMicro + (sold * (priceMicro - averageMicro)) / MICRO,
  };
}

/** The most that the provider's cutting can move a position's P&L, in micro-dollars. */
export function maxRoundingMicro(movements: readonly FoldEntry[]): bigint {
  const additions = movements.filter(({ kind }) => isAddition(kind));
  const removals = movements.filter(({ kind }) => !isAddition(kind));
  return maxArithmeticLoss({
    entries: movements.length,
    additions: additions.length,
    addedSharesMicro: sumShares(additions),
    removedSharesMicro: sumShares(removals),
  });
}

export function sumShares(movements: readonly FoldEntry[]): bigint {
  return movements.reduce((sum, { sharesMicro }) => sum + sharesMicro, 0n);
}
