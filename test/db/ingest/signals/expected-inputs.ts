import type { ReadBounds } from "../../../../src/ingest/signals/judge-trades.ts";
import { OF_THREE_OUTCOMES, readBefore, timeMs, type Fill } from "./seed-fills.ts";

const MICRO = 1_000_000n;
const isTrade = ({ kind }: Fill): boolean => kind !== "split";
const sum = (numbers: readonly number[]): bigint => numbers.reduce((total, n) => total + BigInt(n), 0n);

/** The inputs of one large trade, by a look at every fill of the ledger. Undefined is unknown. */
export function expectedInputs(trade: Fill, fills: readonly Fill[], bounds: ReadBounds) {
  const { isCovered, hasHistory, isMarketRead } = readBefore(trade);
  return {
    shares: isMarketRead ? marketShares(trade, fills, bounds.market) : undefined,
    history: hasHistory ? history(trade, fills, bounds.own) : undefined,
    fills: isCovered ? dayFills(trade, fills, bounds.day) : undefined,
  };
}

function marketShares({ market, hour }: Fill, fills: readonly Fill[], bound: number): bigint | undefined {
  const upTo = fills.filter((fill) => fill.market === market && fill.hour <= hour);
  if (upTo.length > bound) return undefined;
  return sum(upTo.filter(({ isTaker }) => isTaker).map(({ shares }) => shares)) * MICRO;
}

function history(trade: Fill, fills: readonly Fill[], bound: number) {
  const own = fills.filter(({ trader }) => trader === trade.trader);
  if (own.length > bound) return undefined;
  const before = own.filter((fill) => isTrade(fill) && fill.hour < trade.hour);
  const others = new Set(before.map(({ market }) => market).filter((market) => market !== trade.market));
  return {
    id: String(trade.id),
    first_ms: before.length === 0 ? null : timeMs(Math.min(...before.map(({ hour }) => hour))),
    other_markets: others.size,
    usd_micro: String((sum(before.map(({ shares }) => shares)) * MICRO) / 2n),
  };
}

function dayFills({ trader, market, hour }: Fill, fills: readonly Fill[], bound: number) {
  const ofDay = fills.filter(
    (fill) =>
      fill.trader === trader && fill.market === market && isTrade(fill) && fill.hour <= hour && fill.hour > hour - 24,
  );
  if (ofDay.length > bound) return undefined;
  return ofDay.map(({ id, kind, outcome, shares, hour: at }) => ({
    txHash: id.toString(16).padStart(8, "0"),
    side: kind.toUpperCase(),
    outcomeIndex: market === OF_THREE_OUTCOMES ? null : outcome,
    tradedAtMs: timeMs(at),
    usdMicro: (BigInt(shares) * MICRO) / 2n,
    sharesMicro: BigInt(shares) * MICRO,
  }));
}
