import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { askDatabase } from "./product-database.ts";

/** A row of the provider's recorded trades, in the fields that tell it from others. */
export interface WrittenTrade {
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
 * Trades of some wallets in some markets, oldest first: each second one of $6,000 (a large one) and `perSecond` small ones, of which two are
 * equal fills of one transaction.
 */
export function writeTrades(seconds: number, perSecond: number): WrittenTrade[] {
  return Array.from({ length: seconds }, (_, second) => {
    const trade = (place: number, size: number): WrittenTrade => ({
      transactionHash: hex(second * 1_000 + place + 1, 64),
      proxyWallet: hex(0xa0 + ((second + place) % WALLETS), 40),
      asset: String(111 + ((second + place) % MARKETS)),
      side: (second + place) % 3 === 0 ? "SELL" : "BUY",
      size,
      price: 0.5,
      timestamp: FROM + second,
    });
    const small = Array.from({ length: perSecond - 1 }, (_unused, place) => trade(place + 1, 10 + place));
    return [trade(0, 12_000), ...small, ...small.slice(0, 1)];
  }).flat();
}

/** Writes them as the provider listed trades when it was recorded. */
export async function saveRecording(dir: string, trades: readonly WrittenTrade[]): Promise<void> {
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

/** What of them tells one from another, as text and sorted: to be equal to `listStoredTrades` when each is stored exactly once. */
export function listAsStored(trades: readonly WrittenTrade[]): string[] {
  return trades
    .map((one) => `${one.transactionHash.slice(2)} ${one.proxyWallet} ${one.asset} ${one.side.toLowerCase()} ${one.size * 1_000_000}`)
    .sort();
}

/** @param upTo the newest time of trading wanted, epoch seconds */
export async function listStoredTrades(databaseUrl: string, upTo = Number.MAX_SAFE_INTEGER): Promise<string[]> {
  const rows = await askDatabase(
    databaseUrl,
    `select concat_ws(' ', encode(e.tx_hash, 'hex'), t.address, o.token_id, e.kind, e.shares_micro) as trade
     from ledger_entries e join traders t on t.id = e.trader_id join outcomes o on o.id = e.outcome_id
     where e.kind in ('buy', 'sell') and extract(epoch from e.traded_at) <= ${upTo}`,
  );
  return rows.map((row) => row.trade).sort();
}
