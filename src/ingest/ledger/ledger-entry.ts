import { sql, type SQL } from "drizzle-orm";
import type { Parameters } from "../../db/constant-statement.ts";
import type { RecordsetColumn } from "../../db/fragments/recordset.ts";
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

const IDENTITY: readonly RecordsetColumn<LedgerEntry>[] = [
  ["bytea", (e) => toBytea(e.txHash)],
  ["bigint", (e) => e.traderId],
  ["bigint", (e) => e.outcomeId],
  ["text", (e) => e.kind],
  ["bigint", (e) => String(e.sharesMicro)],
  ["smallint", (e) => e.ordinal],
];

/**
 * The columns of the provider identity, as array parameters for `unnest`: tx_hash, trader_id, outcome_id,
 * kind, shares_micro, ordinal.
 */
export const identityArrays = (entries: readonly LedgerEntry[]): SQL =>
  sql.join(
    IDENTITY.map(([type, value]) => array(entries.map(value), type)),
    sql`, `,
  );

/** The same as parameters of a constant statement, whose input is the entries. */
export const identityParameters = ({ array: parameter }: Parameters<readonly LedgerEntry[]>): SQL =>
  sql.join(
    IDENTITY.map(([type, value]) => parameter((entries) => entries.map(value), type)),
    sql`, `,
  );

/** Converts `0xab…` to the bytea notation of Postgres, `\xab…`. */
export function toBytea(hex: string): string {
  return `\\x${hex.slice(2)}`;
}
