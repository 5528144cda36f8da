import { sql, type SQL } from "drizzle-orm";
import { array } from "../../db/sql.ts";
import type { FoldEntry } from "../../scoring/position-fold.ts";

/** A ledger entry to record, with the fields of its provider identity. */
export interface LedgerEntry extends FoldEntry {
  readonly txHash: string;
  readonly traderId: number;
  readonly outcomeId: number;
  readonly marketId: number;
  readonly ordinal: number;
  readonly price: string;
  readonly role: "taker" | null;
  readonly tradedAtMs: number;
}

export interface PositionKey {
  readonly traderId: number;
  readonly outcomeId: number;
  readonly marketId: number;
}

export const positionKey = (key: Pick<PositionKey, "traderId" | "outcomeId">): string =>
  `${key.traderId}:${key.outcomeId}`;

/** The provider identity as one string. */
export const identityKey = (e: LedgerEntry): string =>
  `${e.txHash} ${e.traderId} ${e.outcomeId} ${e.kind} ${e.sharesMicro} ${e.ordinal}`;

/**
 * The columns of the provider identity, as array parameters for `unnest`: tx_hash, trader_id, outcome_id,
 * kind, shares_micro, ordinal.
 */
export function identityArrays(entries: readonly LedgerEntry[]): SQL {
  const hashes = entries.map((e) => toBytea(e.txHash));
  const traderIds = entries.map((e) => e.traderId);
  const outcomeIds = entries.map((e) => e.outcomeId);
  const kinds = entries.map((e) => e.kind);
  const shares = entries.map((e) => String(e.sharesMicro));
  const ordinals = entries.map((e) => e.ordinal);
  return sql`${array(hashes, "bytea")}, ${array(traderIds, "bigint")}, ${array(outcomeIds, "bigint")},
    ${array(kinds, "text")}, ${array(shares, "bigint")}, ${array(ordinals, "smallint")}`;
}

/** Converts `0xab…` to the bytea notation of Postgres, `\xab…`. */
export function toBytea(hex: string): string {
  return `\\x${hex.slice(2)}`;
}
