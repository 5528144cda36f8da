import type { BoardRow, Market, ActivityRecord } from "../provider-world.ts";
import { listConversions, type Conversion } from "./trade/conversions.ts";

export type PriceAt = (market: Market, outcomeIndex: number, ms: number) => number;

interface Account {
  cash: number;
  volume: number;
  /** Shares now and at the start of the window, by outcome. */
  readonly shares: Map<string, { market: Market; outcomeIndex: number; now: number; before: number }>;
}

/**
 * Profit in a window: change of marked equity, net of deposits, withdrawals, rewards and rebates.
 *
 * @param movements visible activity, in block order
 * @param fromMs start of the window @param nowMs its end
 */
export function rankWallets(
  movements: readonly ActivityRecord[],
  fromMs: number,
  nowMs: number,
  priceAt: PriceAt,
): readonly BoardRow[] {
  const accounts = new Map<ActivityRecord["wallet"], Account>();
  const conversions = listConversions(movements);
  for (const movement of movements) {
    const account = accounts.get(movement.wallet) ?? { cash: 0, volume: 0, shares: new Map() };
    accounts.set(movement.wallet, account);
    record(account, movement, conversions.get(movement), movement.timestamp * 1000 >= fromMs);
  }
  const rows = [...accounts].map(([wallet, account]): BoardRow => {
    let pnl = account.cash;
    for (const { market, outcomeIndex, now, before } of account.shares.values()) {
      pnl += now * priceAt(market, outcomeIndex, nowMs) - before * priceAt(market, outcomeIndex, fromMs);
    }
    return { wallet, pnl, volume: account.volume };
  });
  return rows.filter((row) => row.volume > 0).sort((a, b) => b.pnl - a.pnl);
}

/** @param conversion the conversion of which the record is the first row */
function record(account: Account, movement: ActivityRecord, conversion: Conversion | undefined, inside: boolean): void {
  const { market } = movement;
  if (market === null) return;
  const addShares = (of: Market, outcomeIndex: number, shares: number) => {
    const key = `${of.conditionId}:${outcomeIndex}`;
    const held = account.shares.get(key) ?? { market: of, outcomeIndex, now: 0, before: 0 };
    account.shares.set(key, { ...held, now: held.now + shares, before: inside ? held.before : held.before + shares });
  };
  const move = (outcomeIndex: number, shares: number) => addShares(market, outcomeIndex, shares);
  const sign = movement.side === "SELL" || ["MERGE", "REDEEM", "CONVERSION"].includes(movement.type) ? -1 : 1;
  if (inside) account.cash -= sign * movement.usdcSize;
  if (movement.type === "TRADE") {
    move(movement.outcomeIndex ?? 0, sign * movement.size);
    if (inside) account.volume += movement.size;
  } else if (movement.type === "SPLIT" || movement.type === "MERGE") {
    move(0, sign * movement.size);
    move(1, sign * movement.size);
  } else if (conversion !== undefined) {
    for (const taken of conversion.taken) addShares(taken, 1, -conversion.size);
    for (const given of conversion.given) addShares(given, 0, conversion.size);
  } else if (movement.type === "REDEEM") {
    const payouts = market.resolution?.payoutsPpm ?? [];
    const outcomeIndex = movement.outcomeIndex ?? payouts.findIndex((ppm) => ppm > 0);
    const payout = (payouts[outcomeIndex] ?? 0) / 1e6;
    // Without a token the row's size is its payout.
    move(outcomeIndex, movement.outcomeIndex === null && payout > 0 ? -movement.usdcSize / payout : -movement.size);
  }
}
