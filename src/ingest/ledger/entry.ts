import type { Movement } from "../../scoring/position.ts";

/** One ledger entry about to be recorded, with its provider identity. */
export interface Entry extends Movement {
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

export const positionKey = (key: Pick<PositionKey, "traderId" | "outcomeId">): string => `${key.traderId}:${key.outcomeId}`;

/** The provider identity as one text. */
export const identityKey = (e: Entry): string => `${e.txHash} ${e.traderId} ${e.outcomeId} ${e.kind} ${e.sharesMicro} ${e.ordinal}`;

/** The columns of the provider identity, as parameters for `unnest`. */
export function identityArrays(entries: readonly Entry[]): unknown[] {
  return [
    entries.map((e) => toBytea(e.txHash)),
    entries.map((e) => e.traderId),
    entries.map((e) => e.outcomeId),
    entries.map((e) => e.kind),
    entries.map((e) => String(e.sharesMicro)),
    entries.map((e) => e.ordinal),
  ];
}

/** `0xab…` as Postgres reads bytes: `\xab…`. */
export function toBytea(hex: string): string {
  return `\\x${hex.slice(2)}`;
}
