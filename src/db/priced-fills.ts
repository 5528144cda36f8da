import { CANDLE_MIN_SHARES_MICRO } from "../scoring/signals/parameters.ts";

/** SQL: whether a ledger entry makes a price. A fill that is not dust does; a split's or merge's half a dollar does not. */
export const isPriced = (entry: string): string =>
  `(${entry}.kind in ('buy', 'sell') and ${entry}.shares_micro >= ${CANDLE_MIN_SHARES_MICRO})`;

/** The provider dates trades to the second. Within one, transaction and price decide: a fixed order, whatever was read first. */
const TRADE_ORDER = ["traded_at", "tx_hash", "price"] as const;

export const oldestFillFirst = (entry: string): string => TRADE_ORDER.map((column) => `${entry}.${column}`).join(", ");
export const newestFillFirst = (entry: string): string => TRADE_ORDER.map((column) => `${entry}.${column} desc`).join(", ");
