import { createRandom, type Random } from "../../../provider/simulate/random.ts";
import { SEED, type LiveSize } from "../live-size.ts";
import { zipfRank, type MarketShape, type MarketShapes } from "./market-shapes.ts";

/** A fill of the history, in numbers of traders and markets. */
export interface HistoryFill {
  readonly n: number;
  readonly trader: number;
  readonly market: MarketShape;
  readonly outcome: 0 | 1;
  readonly side: "buy" | "sell";
  readonly sharesMicro: number;
  readonly priceMilli: number;
  readonly usdMicro: number;
  readonly isTaker: boolean;
  readonly atMs: number;
}

/** Of the positions. */
const FIVE_MINUTE_SHARE = 0.3;
const MOST_FILLS = 12;
/** One trader of this many trades in hundreds of dollars, the others in tens. */
const RICH_EVERY = 6;

/**
 * Generated fills, position by position. Traders and markets follow Zipf's law; no trader sells shares that it does
 * not have; no fill is outside the time of its market.
 */
export function* generateFills(
  shapes: MarketShapes,
  { fills, traders }: Pick<LiveSize, "fills" | "traders">,
): Generator<HistoryFill> {
  const random = createRandom(SEED, "history");
  for (let n = 0; n < fills;) {
    const trader = zipfRank(random.next(), traders);
    for (const fill of generatePosition(random, drawMarket(random, shapes), trader, shapes.nowMs)) {
      if (n >= fills) return;
      yield { ...fill, n };
      n += 1;
    }
  }
}

function drawMarket(random: Random, shapes: MarketShapes): MarketShape {
  const isFiveMinute = random.chance(FIVE_MINUTE_SHARE) && shapes.fiveMinuteCount > 0;
  return shapes.at(
    isFiveMinute
      ? shapes.fiveMinuteNumber(random.integer(0, shapes.fiveMinuteCount - 1))
      : shapes.ofRank(zipfRank(random.next(), shapes.ranks)),
  );
}

function* generatePosition(
  random: Random,
  market: MarketShape,
  trader: number,
  nowMs: number,
): Generator<Omit<HistoryFill, "n">> {
  const outcome = random.chance(0.5) ? 0 : 1;
  const count = Math.min(MOST_FILLS, 1 + Math.floor(-Math.log(1 - random.next()) * 1.5));
  // Whole seconds, as the provider's; the last one is free for the next trades.
  const endMs = Math.min(market.endMs, nowMs - 1_000);
  const times = Array.from(
    { length: count },
    () => Math.floor(random.between(market.startMs, endMs) / 1_000) * 1_000,
  ).toSorted((a, b) => a - b);
  let sharesMicro = 0;
  for (const atMs of times) {
    const middle = outcome === 0 ? market.priceMilli : 1_000 - market.priceMilli;
    const priceMilli = Math.max(20, Math.min(980, Math.round(middle + 40 * random.normal())));
    const wanted = Math.max(1_000, Math.round((drawUsd(random, trader) / priceMilli) * 1e9));
    const isSale = sharesMicro > 0 && random.chance(0.35);
    const traded = isSale ? Math.min(sharesMicro, wanted) : wanted;
    sharesMicro += isSale ? -traded : traded;
    yield {
      ...{ trader, market, outcome, priceMilli, atMs, sharesMicro: traded, side: isSale ? "sell" : "buy" },
      usdMicro: Math.floor((traded * priceMilli) / 1_000),
      isTaker: random.chance(0.5),
    };
  }
}

/** A few traders of hundreds of dollars, whose tail reaches large trades. At most what stays exact in a double. */
export function drawUsd(random: Random, trader: number): number {
  const isRich = trader % RICH_EVERY === 1;
  return Math.min(50_000, Math.max(1, (isRich ? 100 : 12) * Math.exp((isRich ? 2 : 1.1) * random.normal())));
}
