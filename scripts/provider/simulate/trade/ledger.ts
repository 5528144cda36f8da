import type { Market, ActivityRecord } from "../../provider-world.ts";
import { givenPrice, listConversions, type Conversion } from "./conversions.ts";

/** Shares and cost of one wallet in one outcome, by weighted average. */
export interface LedgerPosition {
  readonly market: Market;
  readonly outcomeIndex: number;
  size: number;
  averagePrice: number;
  totalBought: number;
  realizedPnl: number;
  fees: number;
  firstEntryAt: number;
  lastEventAt: number;
}

/** The price of each side of a pair in a split or merge. */
const HALF = 0.5;

/** Folds one wallet's activity, in block order, into positions: the provider's position ledger. */
export function foldLedgerPositions(movements: readonly ActivityRecord[]): readonly LedgerPosition[] {
  const holdings = new Map<string, LedgerPosition>();
  const conversions = listConversions(movements);
  for (const movement of movements) {
    const { market } = movement;
    if (market === null) continue;
    const at = (outcomeIndex: number) => holdingOf(holdings, market, outcomeIndex, movement.timestamp);
    switch (movement.type) {
      case "TRADE": {
        const holding = at(movement.outcomeIndex ?? 0);
        if (movement.side === "BUY") {
          buy(holding, movement.size, movement.price);
          holding.fees += movement.usdcSize - movement.size * movement.price;
        } else sell(holding, movement.size, movement.price);
        break;
      }
      case "SPLIT":
        for (const outcome of [0, 1]) buy(at(outcome), movement.size, HALF);
        break;
      case "MERGE":
        for (const outcome of [0, 1]) sell(at(outcome), movement.size, HALF);
        break;
      case "REDEEM":
        redeem(movement, market, at);
        break;
      case "CONVERSION": {
        const conversion = conversions.get(movement);
        const inMarket = (other: Market, outcomeIndex: number) =>
          holdingOf(holdings, other, outcomeIndex, movement.timestamp);
        if (conversion !== undefined) convert(conversion, inMarket);
        break;
      }
      default:
    }
  }
  return [...holdings.values()];
}

function holdingOf(
  holdings: Map<string, LedgerPosition>,
  market: Market,
  outcomeIndex: number,
  timestamp: number,
): LedgerPosition {
  const key = `${market.conditionId}:${outcomeIndex}`;
  const known = holdings.get(key);
  const holding = known ?? {
    market,
    outcomeIndex,
    size: 0,
    averagePrice: 0,
    totalBought: 0,
    realizedPnl: 0,
    fees: 0,
    firstEntryAt: timestamp,
    lastEventAt: timestamp,
  };
  holding.lastEventAt = timestamp;
  holdings.set(key, holding);
  return holding;
}

function buy(holding: LedgerPosition, size: number, price: number): void {
  holding.averagePrice = (holding.averagePrice * holding.size + price * size) / (holding.size + size);
  holding.size = roundShares(holding.size + size);
  holding.totalBought += size;
}

function sell(holding: LedgerPosition, size: number, price: number): void {
  const sold = Math.min(size, holding.size);
  holding.realizedPnl += sold * (price - holding.averagePrice);
  holding.size = roundShares(holding.size - sold);
}

/**
 * The NO shares leave at their own averages, without profit. Their cost less the dollars paid becomes the
 * cost of the YES shares.
 */
function convert({ size, taken, given }: Conversion, at: (market: Market, outcome: number) => LedgerPosition): void {
  const sold = taken.map((market) => at(market, 1));
  const averages = sold.map((holding) => holding.averagePrice);
  for (const holding of sold) sell(holding, size, holding.averagePrice);
  for (const market of given) buy(at(market, 0), size, givenPrice(averages, given.length));
}

/**
 * A redemption clears the outcome it names; one without a token clears the outcome whose payout equals its
 * amount.
 */
function redeem(movement: ActivityRecord, market: Market, at: (outcome: number) => LedgerPosition): void {
  const payouts = market.resolution?.payoutsPpm ?? [];
  const outcomes =
    movement.outcomeIndex === null ? [0, 1].filter((outcome) => (payouts[outcome] ?? 0) > 0) : [movement.outcomeIndex];
  const matching = outcomes.map(at).filter((holding) => {
    const worth = (holding.size * (payouts[holding.outcomeIndex] ?? 0)) / 1e6;
    return movement.outcomeIndex !== null || outcomes.length === 1 || Math.abs(worth - movement.usdcSize) < 1e-4;
  });
  for (const holding of matching.slice(0, 1)) sell(holding, holding.size, (payouts[holding.outcomeIndex] ?? 0) / 1e6);
}

const roundShares = (value: number) => Math.round(value * 1e6) / 1e6;
