import type { LedgerEntryKind } from "./position-fold.ts";

/** The fields that order the ledger entries of one position. */
export interface EntryOrderKey {
  readonly tradedAtMs: number;
  readonly kind: LedgerEntryKind;
  readonly txHash: string;
  readonly sharesMicro: bigint;
  readonly ordinal: number;
}

// The provider gives seconds and no order within one. Shares must exist before they can be removed, so
// additions come first.
const RANK = { split: 0, buy: 1, convert_in: 2, merge: 3, convert_out: 4, sell: 5 } as const;

/** Total order of a position's ledger entries, independent of the order of arrival. */
export function compareLedgerEntries(a: EntryOrderKey, b: EntryOrderKey): number {
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
