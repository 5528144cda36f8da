import { SLICE_WINDOW_MS } from "./parameters.ts";
import type { RecentSlices } from "./suspicion-input.ts";
import { directionOf, type DirectedTrade, type Direction } from "./trade-direction.ts";

/** One fill of one trader in one market. */
export interface SliceFill extends DirectedTrade {
  readonly txHash: string;
  readonly tradedAtMs: number;
  readonly usdMicro: bigint;
  readonly sharesMicro: bigint;
}

/**
 * Aggregates a trader's fills in one market that back one side, within the 24 hours up to a trade, by
 * transaction: all fills of one order are one slice.
 *
 * @param marketSharesMicro all shares traded in the market up to then; null when unknown
 * @returns null when there are none
 */
export function recentSlices(
  fills: readonly SliceFill[],
  until: { readonly tradedAtMs: number; readonly direction: Direction },
  marketSharesMicro: bigint | null,
): RecentSlices | null {
  const usdByTransaction = new Map<string, bigint>();
  let totalMicro = 0n;
  let sharesMicro = 0n;
  for (const fill of fills) {
    if (fill.tradedAtMs > until.tradedAtMs || fill.tradedAtMs <= until.tradedAtMs - SLICE_WINDOW_MS) continue;
    if (directionOf(fill) !== until.direction) continue;
    usdByTransaction.set(fill.txHash, (usdByTransaction.get(fill.txHash) ?? 0n) + fill.usdMicro);
    totalMicro += fill.usdMicro;
    sharesMicro += fill.sharesMicro;
  }
  if (usdByTransaction.size === 0) return null;
  const largestMicro = [...usdByTransaction.values()].reduce((largest, usd) => (usd > largest ? usd : largest), 0n);
  return {
    count: usdByTransaction.size,
    totalUsd: Number(totalMicro) / 1e6,
    largestUsd: Number(largestMicro) / 1e6,
    marketVolumeShare:
      marketSharesMicro === null || marketSharesMicro <= 0n
        ? null
        : Math.min(1, Number(sharesMicro) / Number(marketSharesMicro)),
  };
}
