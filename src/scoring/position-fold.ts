import { divideRounded } from "./divide-rounded.ts";

/**
 * The average-cost position of one trader in one outcome token. All amounts are micro-units (millionths of a
 * share or dollar).
 *
 * `costMicro` is the cost of the open shares, without fees. `unmatchedSharesMicro` counts shares removed
 * without a recorded acquisition (received by transfer, or bought before our history): they realize nothing,
 * because their basis is unknown. `unmatchedUsdMicro` is their proceeds, on which no profit is booked.
 */
export interface PositionState {
  readonly sharesMicro: bigint;
  readonly costMicro: bigint;
  readonly realizedMicro: bigint;
  readonly boughtSharesMicro: bigint;
  readonly boughtUsdMicro: bigint;
  readonly soldSharesMicro: bigint;
  readonly soldUsdMicro: bigint;
  readonly feesMicro: bigint;
  readonly unmatchedSharesMicro: bigint;
  readonly unmatchedUsdMicro: bigint;
  readonly entryCount: number;
}

export const EMPTY_POSITION: PositionState = {
  sharesMicro: 0n,
  costMicro: 0n,
  realizedMicro: 0n,
  boughtSharesMicro: 0n,
  boughtUsdMicro: 0n,
  soldSharesMicro: 0n,
  soldUsdMicro: 0n,
  feesMicro: 0n,
  unmatchedSharesMicro: 0n,
  unmatchedUsdMicro: 0n,
  entryCount: 0,
};

/** `convert_in` and `convert_out` are the legs of a neg-risk conversion. */
export type LedgerEntryKind = "buy" | "sell" | "split" | "merge" | "convert_in" | "convert_out";

/** Whether ledger entries of this kind add shares; the others remove shares. */
export const isAddition = (kind: LedgerEntryKind): boolean =>
  kind === "buy" || kind === "split" || kind === "convert_in";

/**
 * One change of a position. A split adds and a merge removes shares at half a dollar each; a conversion uses
 * its event's uniform price (`uniformValues`). `usdMicro` already reflects this.
 */
export interface FoldEntry {
  readonly kind: LedgerEntryKind;
  readonly sharesMicro: bigint;
  readonly usdMicro: bigint;
  /** Null when the fee is unknown; it then adds nothing to the sum of known fees. */
  readonly feeMicro: bigint | null;
}

export interface FoldStep {
  readonly state: PositionState;
  /**
   * Profit that the entry realized, without fees; null when it added shares or none of its shares had a known
   * basis.
   */
  readonly realizedMicro: bigint | null;
}

/**
 * Applies one ledger entry to a position by weighted average cost.
 *
 * Adding: the cost grows by the dollars paid. Removing q of n shares: the cost is reduced in proportion, cost
 * * q / n rounded half away from zero to the micro-dollar, and proceeds minus that cost are realized. Only
 * open shares can realize profit; proceeds count in proportion.
 * Source: the ledger of the provider's own P&L subgraph (weighted average, splits and merges at 0.50, excess
 *   sales ignored). Conversions are priced differently from it: see `uniformValues`.
 */
export function applyEntry(state: PositionState, movement: FoldEntry): FoldStep {
  const feesMicro = state.feesMicro + (movement.feeMicro ?? 0n);
  const entryCount = state.entryCount + 1;
  const traded = movement.kind === "buy" || movement.kind === "sell";

  if (isAddition(movement.kind)) {
    return {
      state: {
        ...state,
        sharesMicro: state.sharesMicro + movement.sharesMicro,
        costMicro: state.costMicro + movement.usdMicro,
        boughtSharesMicro: state.boughtSharesMicro + (traded ? movement.sharesMicro : 0n),
        boughtUsdMicro: state.boughtUsdMicro + (traded ? movement.usdMicro : 0n),
        feesMicro,
        entryCount,
      },
      realizedMicro: null,
    };
  }

  const matched = movement.sharesMicro < state.sharesMicro ? movement.sharesMicro : state.sharesMicro;
  const costOut = matched === 0n ? 0n : divideRounded(state.costMicro * matched, state.sharesMicro);
  const proceeds = matched === 0n ? 0n : divideRounded(movement.usdMicro * matched, movement.sharesMicro);
  const realized = proceeds - costOut;
  return {
    state: {
      ...state,
      sharesMicro: state.sharesMicro - matched,
      costMicro: state.costMicro - costOut,
      realizedMicro: state.realizedMicro + realized,
      soldSharesMicro: state.soldSharesMicro + (traded ? movement.sharesMicro : 0n),
      soldUsdMicro: state.soldUsdMicro + (traded ? movement.usdMicro : 0n),
      feesMicro,
      unmatchedSharesMicro: state.unmatchedSharesMicro + movement.sharesMicro - matched,
      unmatchedUsdMicro: state.unmatchedUsdMicro + movement.usdMicro - proceeds,
      entryCount,
    },
    realizedMicro: matched === 0n ? null : realized,
  };
}

/**
 * The result of holding to resolution: the payout of the open shares minus their cost.
 *
 * @param payoutPpm payout of one share in millionths of a dollar (0 lost, 1,000,000 won, 500,000 split)
 */
export function settledMicro(state: Pick<PositionState, "sharesMicro" | "costMicro">, payoutPpm: number): bigint {
  return divideRounded(state.sharesMicro * BigInt(payoutPpm), 1_000_000n) - state.costMicro;
}
