import { toActivity } from "../../src/providers/polymarket/mapping/activity.ts";
import { ActivityRow } from "../../src/providers/polymarket/payloads/activity.ts";
import { fitRecord } from "../../src/providers/polymarket/payloads/fit-records.ts";
import { compareMovements, type Ordered } from "../../src/scoring/movement-order.ts";
import type { Movement } from "../../src/scoring/position.ts";
import { generatedCondition } from "../provider/replay/generated-ids.ts";
import { groupAcross } from "../provider/replay/recorded-trades.ts";
import { uniteTrades, type UnitedTrade } from "../provider/replay/unite-trades.ts";
import type { Facts, RecordedFlow } from "./facts.ts";
import { flowIdentity } from "./readers/v1-trades.ts";

export type BookedMovement = Movement & Ordered;

export interface Books {
  /** Movements by `bookKey`, in the product's order. */
  readonly positions: ReadonlyMap<string, readonly BookedMovement[]>;
  /** Every row that is no trade, once. */
  readonly flows: readonly RecordedFlow[];
  /** `placeKey`s of markets and events in which something moved shares that no movement stands for. */
  readonly unbooked: ReadonlySet<string>;
  /** `placeKey`s of markets and events with a recorded conversion. */
  readonly converted: ReadonlySet<string>;
  /** `placeKey`s of markets with a recorded redemption. */
  readonly redeemed: ReadonlySet<string>;
  /** Trades that the product's payload schema or mapping refused. */
  readonly unfit: readonly string[];
}

export const bookKey = (wallet: string, tokenId: string): string => `${wallet} ${tokenId}`;

/** A wallet's part in a market (condition id) or an event (slug). */
export const placeKey = (wallet: string, conditionOrEvent: string): string => `${wallet} ${conditionOrEvent}`;

const HAS_LEGS: Readonly<Record<string, "split" | "merge">> = { SPLIT: "split", MERGE: "merge" };

/**
 * Turns recorded trades, splits and merges into movements of positions: trades through the provider mapping of the product, splits and
 * merges as it books them (half a dollar a share and leg, the odd millionth on the first). Conversions are not booked: a recording does not
 * tell an event's whole list of questions, without which they mean nothing.
 */
export function bookMovements(facts: Facts): Books {
  const positions = new Map<string, BookedMovement[]>();
  const unbooked = new Set<string>();
  const converted = new Set<string>();
  const redeemed = new Set<string>();
  const unfit: string[] = [];
  const equals = new Map<string, number>();
  const book = (wallet: string, tokenId: string, movement: Omit<BookedMovement, "ordinal">): void => {
    const key = bookKey(wallet, tokenId);
    const identity = [key, movement.txHash, movement.kind, movement.sharesMicro].join(" ");
    const ordinal = equals.get(identity) ?? 0;
    equals.set(identity, ordinal + 1);
    const movements = positions.get(key) ?? [];
    if (movements.length === 0) positions.set(key, movements);
    movements.push({ ...movement, ordinal });
  };

  for (const trade of uniteTrades(facts.tradeFiles)) {
    const fitted = fitRecord(toActivityRow(trade, facts), ActivityRow, toActivity);
    if ("misfit" in fitted) unfit.push(fitted.misfit.reason);
    else if (fitted.row?.kind === "trade") {
      const { side, sharesMicro, usdMicro, feeMicro, tradedAt, txHash } = fitted.row.trade;
      const kind = side === "BUY" ? "buy" : "sell";
      book(trade.wallet, trade.tokenId, { kind, sharesMicro, usdMicro, feeMicro, tradedAtMs: tradedAt.getTime(), txHash });
    }
  }

  const flows = groupAcross(facts.flows, flowIdentity).flat();
  for (const flow of flows) {
    const { wallet, sharesMicro, transactionHash: txHash } = flow;
    const kind = HAS_LEGS[flow.type];
    const pair = facts.markets.pairOf(flow.conditionId);
    if (flow.type === "REDEEM") redeemed.add(placeKey(wallet, flow.conditionId));
    // A conversion touches every market of its event.
    const moved = flow.type === "CONVERSION" ? converted : flow.type === "MIGRATION" ? unbooked : null;
    for (const place of [flow.conditionId, flow.eventSlug]) if (place !== "") moved?.add(placeKey(wallet, place));
    if (kind === undefined) continue;
    if (pair === null) unbooked.add(placeKey(wallet, flow.conditionId));
    const half = sharesMicro / 2n;
    for (const [index, tokenId] of (pair ?? []).entries()) {
      const usdMicro = index === 0 ? sharesMicro - half : half;
      book(wallet, tokenId, { kind, sharesMicro, usdMicro, feeMicro: null, tradedAtMs: flow.timestamp * 1000, txHash });
    }
  }
  for (const movements of positions.values()) movements.sort(compareMovements);
  return { positions, flows, unbooked, converted, redeemed, unfit };
}

/** The recorded trade as a row of today's `/v2/activity`. */
const toActivityRow = (trade: UnitedTrade, { markets }: Facts) => ({
  type: "TRADE",
  proxy_wallet: trade.wallet,
  side: trade.side,
  token_id: trade.tokenId,
  // Only the token decides whose position moves; a fill without market gets a marked one.
  condition_id: markets.conditionOf(trade.tokenId) ?? generatedCondition(trade.tokenId),
  size: trade.size,
  usdc_size: trade.usdcSize,
  price: trade.price,
  timestamp: trade.timestamp,
  transaction_hash: trade.transactionHash,
});
