import { createRandom, type Random } from "../../../provider/simulate/random.ts";
import { drawUsd } from "../history/generated-fills.ts";
import { tokenOf, zipfRank, type MarketShape, type MarketShapes } from "../history/market-shapes.ts";
import { SEED, type LiveSize } from "../live-size.ts";
import { isOfNewTraders, secondOfExecution } from "./trade-schedule.ts";

/** One row of the feed, in numbers. */
export interface LiveTrade {
  readonly trader: number;
  readonly market: MarketShape;
  readonly outcome: 0 | 1;
  readonly tokenId: string;
  readonly side: "BUY" | "SELL";
  readonly sharesMicro: number;
  readonly priceMilli: number;
  readonly role: "taker" | "maker";
  readonly txHash: string;
  /** Epoch seconds. */
  readonly atSeconds: number;
}

export interface TradedMarkets {
  readonly shapes: MarketShapes;
  /** The numbers of the open markets that last longer than five minutes, the busiest first, and of combinations. */
  readonly open: readonly number[];
  readonly combinations: readonly number[];
}

const FIVE_MINUTE_SHARE = 0.35;
const COMBINATION_SHARE = 0.01;
const NEW_TRADER_SHARE = 0.05;
const SALE_SHARE = 0.2;
/** A sale is of a part of what the trader bought at most this many executions before. */
const SALE_REACH = 2_000;
const TX_PREFIX = "ed".repeat(8);

/** Executions of different phases have different transactions and new traders. */
const EXECUTIONS_OF_PHASE = 10_000_000;

const idOf = (execution: number, { phase }: Pick<LiveSize, "phase">): number => phase * EXECUTIONS_OF_PHASE + execution;

/** The rows of an execution: a function of its number, the size and the time of the first execution alone. */
export function tradesOf(
  execution: number,
  size: LiveSize,
  beginSeconds: number,
  markets: TradedMarkets,
): readonly LiveTrade[] {
  const atSeconds = beginSeconds + secondOfExecution(execution, size);
  const random = createRandom(SEED, "sale", idOf(execution, size));
  const bought =
    random.chance(SALE_SHARE) && !isOfNewTraders(execution, size)
      ? purchaseOf(execution - random.integer(1, SALE_REACH), size, beginSeconds, markets)
      : null;
  const sale = bought !== null && bought.market.endMs > (atSeconds + 1) * 1_000 ? bought : null;
  const taker = sale ?? purchaseOf(execution, size, beginSeconds, markets);
  if (taker === null) return [];
  const sharesMicro = sale === null ? taker.sharesMicro : Math.max(1, Math.floor(sale.sharesMicro / 8));
  const common = { market: taker.market, sharesMicro, atSeconds, txHash: txHashOf(idOf(execution, size)) };
  const other = taker.outcome === 0 ? 1 : 0;
  // The other side of a purchase buys the other outcome, that of a sale buys what is sold.
  const makerOutcome = sale === null ? other : taker.outcome;
  const isNew = isOfNewTraders(execution, size);
  const maker = isNew ? newTraderOf(execution, size) + 1 : makerOf(random, taker.trader, size.traders);
  return [
    {
      ...common,
      ...outcomeOf(taker.market, taker.outcome),
      trader: taker.trader,
      side: sale === null ? "BUY" : "SELL",
      role: "taker",
      priceMilli: taker.priceMilli,
    },
    {
      ...common,
      ...outcomeOf(taker.market, makerOutcome),
      trader: maker,
      side: "BUY",
      role: "maker",
      priceMilli: sale === null ? 1_000 - taker.priceMilli : taker.priceMilli,
    },
  ];
}

interface Purchase {
  readonly trader: number;
  readonly market: MarketShape;
  readonly outcome: 0 | 1;
  readonly sharesMicro: number;
  readonly priceMilli: number;
}

/** What the taker of an execution buys unless it sells; null before the first execution. */
function purchaseOf(execution: number, size: LiveSize, beginSeconds: number, markets: TradedMarkets): Purchase | null {
  if (execution < 0) return null;
  const random = createRandom(SEED, "purchase", idOf(execution, size));
  const atMs = (beginSeconds + secondOfExecution(execution, size)) * 1_000;
  const market = drawMarket(random, atMs, markets);
  const isNew = random.chance(NEW_TRADER_SHARE) || isOfNewTraders(execution, size);
  const trader = isNew ? newTraderOf(execution, size) : zipfRank(random.next(), size.traders);
  const outcome = random.chance(0.5) ? 0 : 1;
  const middle = outcome === 0 ? market.priceMilli : 1_000 - market.priceMilli;
  const priceMilli = Math.max(20, Math.min(980, Math.round(middle + 20 * random.normal())));
  return { trader, market, outcome, priceMilli, sharesMicro: Math.round((drawUsd(random, trader) / priceMilli) * 1e9) };
}

/** A trader without an earlier fill. The number after it is not used by another execution. */
const newTraderOf = (execution: number, size: Pick<LiveSize, "traders" | "phase">): number =>
  size.traders + 2 * idOf(execution, size);

function drawMarket(random: Random, atMs: number, { shapes, open, combinations }: TradedMarkets): MarketShape {
  const kind = random.next();
  if (kind < FIVE_MINUTE_SHARE || open.length === 0) return shapes.at(random.pick(shapes.fiveMinuteAt(atMs)));
  if (kind < FIVE_MINUTE_SHARE + COMBINATION_SHARE && combinations.length > 0)
    return shapes.at(random.pick(combinations));
  return shapes.at(open[zipfRank(random.next(), open.length)] ?? 0);
}

function makerOf(random: Random, taker: number, traders: number): number {
  const maker = zipfRank(random.next(), Math.max(2, Math.floor(traders / 5)));
  return maker === taker ? maker + 1 : maker;
}

const outcomeOf = (market: MarketShape, outcome: 0 | 1) => ({ outcome, tokenId: tokenOf(market, outcome) });

const txHashOf = (id: number): string => `0x${TX_PREFIX}${(id + 1).toString(16).padStart(48, "0")}`;

/** The number of the execution of a live transaction in its phase. */
export const executionOf = (txHash: string): number =>
  (Number(BigInt(`0x${txHash.slice(2 + TX_PREFIX.length)}`)) - 1) % EXECUTIONS_OF_PHASE;

/** The transactions of a phase have hashes from the first of these on, and below the second. */
export const txHashesOf = (phase: number): readonly [from: string, to: string] => [
  txHashOf(phase * EXECUTIONS_OF_PHASE),
  txHashOf((phase + 1) * EXECUTIONS_OF_PHASE),
];
