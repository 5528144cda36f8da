import type { LedgerEntry } from "../../../src/ingest/ledger/ledger-entry.ts";
import type { LedgerRow } from "./read-range.ts";
import type { StagedFill } from "./staged-ranges.ts";

export type RangeEntry = LedgerRow | StagedFill;

/** The entries of a trader, without repeats. */
export interface MergedTrader {
  /** In the order of staging. */
  readonly fresh: readonly StagedFill[];
  readonly recorded: readonly LedgerRow[];
  /** Recorded fills with a role or a fee that the ledger lacks. */
  readonly filledIn: readonly LedgerEntry[];
}

/**
 * Separates staged fills from recorded ones, and of those that several files have keeps the one with a role, then the one
 * with a fee, then the first. Missing roles and fees of recorded entries are filled in.
 */
export function mergeEntries(
  traderId: string,
  staged: readonly StagedFill[],
  recorded: readonly LedgerRow[],
  hasRepeats: boolean,
): MergedTrader {
  if (recorded.length === 0 && !hasRepeats) return { fresh: staged, recorded, filledIn: [] };
  const byIdentity = new Map(recorded.map((entry) => [identityOf(entry), entry]));
  const filledIn = new Map<LedgerRow, LedgerEntry>();
  const fresh = new Map<string, StagedFill>();
  for (const fill of staged) {
    const identity = identityOf(fill);
    const known = byIdentity.get(identity);
    if (known === undefined) {
      const other = fresh.get(identity);
      fresh.set(identity, other === undefined || rank(fill) > rank(other) ? fill : other);
    } else if ((known.role === null && fill.role !== null) || (known.feeMicro === null && fill.feeMicro !== null)) {
      known.role ??= fill.role;
      known.feeMicro ??= fill.feeMicro;
      const { role, feeMicro } = known;
      filledIn.set(known, { ...toLedgerEntry(traderId, fill), role, feeMicro });
    }
  }
  return { fresh: [...fresh.values()], recorded, filledIn: [...filledIn.values()] };
}

const identityOf = ({ outcomeId, kind, txHash, sharesMicro, ordinal }: RangeEntry): string =>
  `${txHash} ${outcomeId} ${kind} ${sharesMicro} ${ordinal}`;

const rank = ({ role, feeMicro }: StagedFill): number => (role === null ? 0 : 2) + (feeMicro === null ? 0 : 1);

/** As ingest records it. */
export const toLedgerEntry = (traderId: string, fill: StagedFill): LedgerEntry => ({
  txHash: `0x${fill.txHash}`,
  traderId: Number(traderId),
  outcomeId: Number(fill.outcomeId),
  marketId: Number(fill.marketId),
  kind: fill.kind,
  sharesMicro: fill.sharesMicro,
  ordinal: fill.ordinal,
  usdMicro: fill.usdMicro,
  feeMicro: fill.feeMicro,
  price: fill.price,
  role: fill.role,
  tradedAtMs: fill.tradedAtMs,
});
