import type { Book, BookLevel } from "../../provider-world.ts";
import { createRandom } from "../random.ts";

const LEVELS = 6;
const TICK = 0.01;
/** Books are redrawn at this interval. */
const STEP_MS = 15_000;

export interface TopOfBook {
  readonly bid: number;
  readonly ask: number;
}

/** A ladder behind its best levels. @param key identifies book and seed */
export function drawBook({ bid, ask }: TopOfBook, nowMs: number, key: string): Book {
  const timestampMs = Math.floor(nowMs / STEP_MS) * STEP_MS;
  const random = createRandom(key, timestampMs);
  const ladder = (first: number, step: number): readonly BookLevel[] =>
    Array.from({ length: LEVELS }, (_, index) => Math.round((first + step * index) * 100) / 100)
      .filter((level) => level > 0 && level < 1)
      .map((level) => ({ price: String(level), size: String(Math.round(random.between(20, 3000) * 100) / 100) }))
      .toReversed();
  return { bids: ladder(bid, -TICK), asks: ladder(ask, TICK), timestampMs, lastTradePrice: null, tickSize: TICK };
}

/**
 * Best levels of an outcome, on the tick. Those of the second outcome mirror those of the first.
 *
 * @param price of the first outcome, 0 to 1
 */
export function topOfBook(price: number, outcomeIndex: number): TopOfBook {
  const bid = Math.min(Math.max(Math.floor((price - 1e-9) * 100) / 100, TICK), 1 - 2 * TICK);
  const onTick = (value: number) => Math.round(value * 100) / 100;
  return outcomeIndex === 0 ? { bid, ask: onTick(bid + TICK) } : { bid: onTick(1 - bid - TICK), ask: onTick(1 - bid) };
}
