import { directionOf, type DirectedTrade, type Direction } from "../../../src/scoring/signals/trade-direction.ts";

/** One large trade, with the current grade of its trader. */
export interface FlowTrade extends DirectedTrade {
  readonly conditionId: string;
  readonly wallet: string;
  /** Null for an ungraded trader. */
  readonly grade: string | null;
  readonly sizeUsdMicro: bigint;
  readonly tradedAtMs: number;
}

export interface FlowFilter {
  readonly asOfMs: number;
  /** Trades after `asOfMs - windowMs`, up to `asOfMs`. */
  readonly windowMs: number;
  /** Grades that pass; ungraded traders never pass. Null accepts all traders. */
  readonly grades: readonly string[] | null;
}

/** The flow of money into a market within a window. Amounts are micro-dollars. */
export interface MarketFlow {
  readonly conditionId: string;
  /** YES minus NO: buying YES and selling NO add, buying NO and selling YES subtract. */
  readonly netMicro: bigint;
  /** The side with more money; YES when the net is 0, only as a tie-break. */
  readonly direction: Direction;
  /** Gross purchases and sales, both outcomes together. */
  readonly buyMicro: bigint;
  readonly sellMicro: bigint;
  readonly grossMicro: bigint;
  readonly tradeCount: number;
  readonly traderCount: number;
}

/**
 * The flow of each market with at least one matching trade, largest absolute net first, then by condition id.
 * Trades of outcomes that are neither YES nor NO have no sign and are omitted.
 *
 * Source: the contract.
 */
export function marketFlows(trades: readonly FlowTrade[], filter: FlowFilter): readonly MarketFlow[] {
  const byMarket = new Map<string, FlowTrade[]>();
  for (const trade of trades) {
    if (!passes(trade, filter)) continue;
    const market = byMarket.get(trade.conditionId);
    if (market === undefined) byMarket.set(trade.conditionId, [trade]);
    else market.push(trade);
  }
  return [...byMarket].map(([conditionId, market]) => flowOf(conditionId, market)).sort(compareFlows);
}

function passes(trade: FlowTrade, { asOfMs, windowMs, grades }: FlowFilter): boolean {
  if (directionOf(trade) === null) return false;
  if (trade.tradedAtMs > asOfMs || trade.tradedAtMs <= asOfMs - windowMs) return false;
  return grades === null || (trade.grade !== null && grades.includes(trade.grade));
}

function flowOf(conditionId: string, trades: readonly FlowTrade[]): MarketFlow {
  const sum = (test: (trade: FlowTrade) => boolean): bigint =>
    trades.reduce((total, trade) => (test(trade) ? total + trade.sizeUsdMicro : total), 0n);
  const grossMicro = sum(() => true);
  const yesMicro = sum((trade) => directionOf(trade) === "YES");
  const buyMicro = sum((trade) => trade.side === "BUY");
  const netMicro = yesMicro - (grossMicro - yesMicro);
  return {
    conditionId,
    netMicro,
    direction: netMicro < 0n ? "NO" : "YES",
    buyMicro,
    sellMicro: grossMicro - buyMicro,
    grossMicro,
    tradeCount: trades.length,
    traderCount: new Set(trades.map((trade) => trade.wallet)).size,
  };
}

function compareFlows(a: MarketFlow, b: MarketFlow): number {
  const difference = magnitude(b.netMicro) - magnitude(a.netMicro);
  return difference === 0n ? (a.conditionId < b.conditionId ? -1 : 1) : difference < 0n ? -1 : 1;
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);
