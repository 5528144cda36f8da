import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { queryDatabase } from "./product-database.ts";

/** A row of the provider's recorded trades, with the fields that identify it. */
export interface GeneratedTrade {
  readonly transactionHash: string;
  readonly proxyWallet: string;
  readonly asset: string;
  readonly side: "BUY" | "SELL";
  /** Shares. */
  readonly size: number;
  readonly price: number;
  /** Epoch seconds. */
  readonly timestamp: number;
}

const FROM = 1_760_000_000;
const WALLETS = 12;
const MARKETS = 4;

const hex = (number: number, digits: number) => `0x${number.toString(16).padStart(digits, "0")}`;

/**
 * Trades of several wallets in several markets, oldest first: per second one of $6,000 (a large one) and
 * `perSecond` small ones, two of which are equal fills of one transaction.
 */
export function generateTrades(seconds: number, perSecond: number): GeneratedTrade[] {
  return Array.from({ length: seconds }, (_, second) => {
    const trade = (index: number, size: number): GeneratedTrade => ({
      transactionHash: hex(second * 1_000 + index + 1, 64),
      proxyWallet: hex(0xa0 + ((second + index) % WALLETS), 40),
      asset: String(111 + ((second + index) % MARKETS)),
      side: (second + index) % 3 === 0 ? "SELL" : "BUY",
      size,
      price: 0.5,
      timestamp: FROM + second,
    });
    const small = Array.from({ length: perSecond - 1 }, (_unused, index) => trade(index + 1, 10 + index));
    return [trade(0, 12_000), ...small, ...small.slice(0, 1)];
  }).flat();
}

/** Writes trades in the provider's list format of the time of recording. */
export async function saveRecording(dir: string, trades: readonly GeneratedTrade[]): Promise<void> {
  const rows = trades.map((trade) => ({
    ...trade,
    conditionId: `0x${trade.asset.padStart(64, "c")}`,
    title: `Will it rain in place ${trade.asset}?`,
    slug: `rain-${trade.asset}`,
    icon: "",
    eventSlug: `rain-${trade.asset}`,
    outcome: "Yes",
    outcomeIndex: 0,
    name: "",
    pseudonym: "",
    bio: "",
    profileImage: "",
  }));
  await writeFile(join(dir, "trades.ndjson"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
}

/**
 * The identifying fields as sorted text; equal to `listStoredTrades` when each trade is stored exactly once.
 */
export function listAsStored(trades: readonly GeneratedTrade[]): string[] {
  return trades
    .map(
      (one) =>
        `${one.transactionHash.slice(2)} ${one.proxyWallet} ${one.asset} ${one.side.toLowerCase()} ${one.size * 1_000_000}`,
    )
    .sort();
}

/** @param upTo the latest trade time to include, epoch seconds */
export async function listStoredTrades(databaseUrl: string, upTo = Number.MAX_SAFE_INTEGER): Promise<string[]> {
  const rows = await queryDatabase(
    databaseUrl,
    `select concat_ws(' ', encode(e.tx_hash, 'hex'), t.address, o.token_id, e.kind, e.shares_micro) as trade
     from ledger_entries e join traders t on t.id = e.trader_id join outcomes o on o.id = e.outcome_id
     where e.kind in ('buy', 'sell') and extract(epoch from e.traded_at) <= ${upTo}`,
  );
  return rows.map((row) => row.trade).sort();
}
