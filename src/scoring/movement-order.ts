import type { MovementKind } from "./position.ts";

/** The facts that put the movements of one position in order. */
export interface Ordered {
  readonly tradedAtMs: number;
  readonly kind: MovementKind;
  readonly txHash: string;
  readonly sharesMicro: bigint;
  readonly ordinal: number;
}

// The provider gives seconds and no order within one. Shares must exist before they can leave, so what adds comes first.
const RANK = { split: 0, buy: 1, convert_in: 2, merge: 3, convert_out: 4, sell: 5 } as const;

/** Total order of a position's movements: the same for any order of arrival. */
export function compareMovements(a: Ordered, b: Ordered): number {
  return (
    a.tradedAtMs - b.tradedAtMs ||
    RANK[a.kind] - RANK[b.kind] ||
    compareText(a.txHash, b.txHash) ||
    (a.sharesMicro < b.sharesMicro ? -1 : a.sharesMicro > b.sharesMicro ? 1 : 0) ||
    a.ordinal - b.ordinal
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
