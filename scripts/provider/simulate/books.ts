import type { Book, BookLevel } from "../world.ts";
import { createRandom } from "./random.ts";

const LEVELS = 6;
const TICK = 0.01;
/** Books are redrawn this often. */
const STEP_MS = 15_000;

/** A ladder around a price. @param price of the outcome, 0 to 1 @param key names book and seed */
export function drawBook(price: number, nowMs: number, key: string): Book {
  const timestampMs = Math.floor(nowMs / STEP_MS) * STEP_MS;
  const random = createRandom(key, timestampMs);
  const { bid, ask } = topOfBook(price);
  const ladder = (first: number, step: number): readonly BookLevel[] =>
    Array.from({ length: LEVELS }, (_, index) => Math.round((first + step * index) * 100) / 100)
      .filter((level) => level > 0 && level < 1)
      .map((level) => ({ price: String(level), size: String(Math.round(random.between(20, 3000) * 100) / 100) }))
      .toReversed();
  return { bids: ladder(bid, -TICK), asks: ladder(ask, TICK), timestampMs, lastTradePrice: null, tickSize: TICK };
}

/** Best levels around a price, on the tick. */
export function topOfBook(price: number): { bid: number; ask: number } {
  const bid = Math.min(Math.max(Math.floor((price - 1e-9) * 100) / 100, TICK), 1 - 2 * TICK);
  return { bid, ask: Math.round((bid + TICK) * 100) / 100 };
}
