import type { LiveTrade } from "../provider/live-trades.ts";

/** A row of the ledger as `selectLiveRows` returns it. */
export interface LedgerRow {
  readonly tx: string;
  readonly address: string;
  readonly token_id: string;
  readonly kind: string;
  readonly shares: string;
  readonly price: string;
  readonly role: string | null;
  readonly recorded: string;
  readonly seconds: number;
}

export interface RowComparison {
  readonly sent: number;
  readonly stored: number;
  /** Rows that the provider has sent and the ledger lacks, and the other way round. */
  readonly missing: readonly string[];
  readonly unexpected: readonly string[];
}

/** The identity of a fill and its facts, on both sides. */
const keyOfRow = ({ tx, address, token_id, kind, shares, price, role, seconds }: LedgerRow): string =>
  [tx, address, token_id, kind, shares, Number(price).toFixed(3), role ?? "", seconds].join(" ");

const keyOfTrade = (trade: LiveTrade, addressOf: (trader: number) => string): string =>
  [
    ...[trade.txHash, addressOf(trade.trader), trade.tokenId, trade.side === "BUY" ? "buy" : "sell", trade.sharesMicro],
    ...[(trade.priceMilli / 1_000).toFixed(3), trade.role === "taker" ? "taker" : "", trade.atSeconds],
  ].join(" ");

/** Compares what the provider sent with what the ledger has, row by row. */
export function compareRows(
  sent: readonly LiveTrade[],
  stored: readonly LedgerRow[],
  addressOf: (trader: number) => string,
): RowComparison {
  const expected = new Set(sent.map((trade) => keyOfTrade(trade, addressOf)));
  const found = new Set(stored.map(keyOfRow));
  return {
    ...{ sent: sent.length, stored: stored.length },
    missing: [...expected].filter((key) => !found.has(key)),
    unexpected: [...found].filter((key) => !expected.has(key)),
  };
}
