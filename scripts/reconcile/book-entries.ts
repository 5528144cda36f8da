import { toActivity } from "../../src/providers/polymarket/mapping/trades/activity.ts";
import { ActivityRow } from "../../src/providers/polymarket/payloads/trades/activity.ts";
import { parseProviderRecord } from "../../src/providers/polymarket/payloads/parse-provider-records.ts";
import { compareLedgerEntries, type EntryOrderKey } from "../../src/scoring/ledger-entry-order.ts";
import type { FoldEntry } from "../../src/scoring/position-fold.ts";
import { generatedCondition } from "../provider/replay/generated-ids.ts";
import { groupAcross } from "../provider/replay/recorded-trades.ts";
import { mergeTrades, type MergedTrade } from "../provider/replay/merge-trades.ts";
import type { RecordingFacts, RecordedFlow } from "./recording-facts.ts";
import { flowIdentity } from "./readers/v1-trades.ts";

export type BookedEntry = FoldEntry & EntryOrderKey;

export interface BookedLedger {
  /** Entries by `bookKey`, in the product's order. */
  readonly positions: ReadonlyMap<string, readonly BookedEntry[]>;
  /** Every activity row that is not a trade, once. */
  readonly flows: readonly RecordedFlow[];
  /** `placeKey`s of markets and events with a recorded change of shares that could not be booked. */
  readonly unbooked: ReadonlySet<string>;
  /** `placeKey`s of markets and events with a recorded conversion. */
  readonly converted: ReadonlySet<string>;
  /** `placeKey`s of markets with a recorded redemption. */
  readonly redeemed: ReadonlySet<string>;
  /** Reasons of trades that the product's payload schema or mapping refused. */
  readonly refusedTrades: readonly string[];
}

export const walletTokenKey = (wallet: string, tokenId: string): string => `${wallet} ${tokenId}`;

/** A wallet in a market (condition id) or an event (slug). */
export const walletMarketKey = (wallet: string, conditionOrEvent: string): string => `${wallet} ${conditionOrEvent}`;

const HAS_LEGS: Readonly<Record<string, "split" | "merge">> = { SPLIT: "split", MERGE: "merge" };

/**
 * Turns recorded trades, splits and merges into ledger entries: trades through the product's provider
 * mapping, splits and merges at half a dollar a share and leg, with the odd millionth on the first.
 * Conversions are not booked: that needs the event's whole list of questions, which a recording does not
 * have.
 */
export function bookEntries(facts: RecordingFacts): BookedLedger {
  const positions = new Map<string, BookedEntry[]>();
  const unbooked = new Set<string>();
  const converted = new Set<string>();
  const redeemed = new Set<string>();
  const unfit: string[] = [];
  const equals = new Map<string, number>();
  const book = (wallet: string, tokenId: string, movement: Omit<BookedEntry, "ordinal">): void => {
    const key = walletTokenKey(wallet, tokenId);
    const identity = [key, movement.txHash, movement.kind, movement.sharesMicro].join(" ");
    const ordinal = equals.get(identity) ?? 0;
    equals.set(identity, ordinal + 1);
    const movements = positions.get(key) ?? [];
    if (movements.length === 0) positions.set(key, movements);
    movements.push({ ...movement, ordinal });
  };

  for (const trade of mergeTrades(facts.tradeFiles)) {
    const fitted = parseProviderRecord(toActivityRow(trade, facts), ActivityRow, toActivity);
    if ("invalid" in fitted) unfit.push(fitted.invalid.reason);
    else if (fitted.row?.kind === "trade") {
      const { side, sharesMicro, usdMicro, feeMicro, tradedAt, txHash } = fitted.row.trade;
      const kind = side === "BUY" ? "buy" : "sell";
      book(trade.wallet, trade.tokenId, {
        kind,
        sharesMicro,
        usdMicro,
        feeMicro,
        tradedAtMs: tradedAt.getTime(),
        txHash,
      });
    }
  }

  const flows = groupAcross(facts.flows, flowIdentity).flat();
  for (const flow of flows) {
    const { wallet, sharesMicro, transactionHash: txHash } = flow;
    const kind = HAS_LEGS[flow.type];
    const pair = facts.markets.pairOf(flow.conditionId);
    if (flow.type === "REDEEM") redeemed.add(walletMarketKey(wallet, flow.conditionId));
    // A conversion touches every market of its event.
    const moved = flow.type === "CONVERSION" ? converted : flow.type === "MIGRATION" ? unbooked : null;
    for (const place of [flow.conditionId, flow.eventSlug])
      if (place !== "") moved?.add(walletMarketKey(wallet, place));
    if (kind === undefined) continue;
    if (pair === null) unbooked.add(walletMarketKey(wallet, flow.conditionId));
    const half = sharesMicro / 2n;
    for (const [index, tokenId] of (pair ?? []).entries()) {
      const usdMicro = index === 0 ? sharesMicro - half : half;
      book(wallet, tokenId, { kind, sharesMicro, usdMicro, feeMicro: null, tradedAtMs: flow.timestamp * 1000, txHash });
    }
  }
  for (const movements of positions.values()) movements.sort(compareLedgerEntries);
  return { positions, flows, unbooked, converted, redeemed, refusedTrades: unfit };
}

/** The recorded trade as a row of the current `/v2/activity`. */
const toActivityRow = (trade: MergedTrade, { markets }: RecordingFacts) => ({
  type: "TRADE",
  proxy_wallet: trade.wallet,
  side: trade.side,
  token_id: trade.tokenId,
  // Only the token determines the position; a fill without a market gets a generated condition.
  condition_id: markets.conditionOf(trade.tokenId) ?? generatedCondition(trade.tokenId),
  size: trade.size,
  usdc_size: trade.usdcSize,
  price: trade.price,
  timestamp: trade.timestamp,
  transaction_hash: trade.transactionHash,
});
