import { positionId } from "../../../provider/combos.ts";
import { createRandom } from "../../../provider/simulate/random.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../src/scoring/utc-calendar.ts";
import { SEED } from "../live-size.ts";

export type MarketKind = "five_minute" | "neg_risk" | "binary" | "combination";

/** A generated market. It is a function of its number, of how many there are and of the time of generation. */
export interface MarketShape {
  readonly n: number;
  readonly kind: MarketKind;
  readonly conditionId: string;
  /** The markets of one event have the same; null for combinations. */
  readonly event: number | null;
  readonly title: string;
  readonly category: string;
  readonly startMs: number;
  readonly endMs: number;
  /** At its end, or after a delay. */
  readonly resolvedMs: number;
  readonly winner: 0 | 1;
  /** Mark price of YES, thousandths. */
  readonly priceMilli: number;
}

/*
 * Of a hundred markets 70 are five-minute markets, 16 the questions of two neg-risk events, 13 ordinary ones and one is
 * a combination.
 */
const BLOCK = 100;
const FIVE_MINUTE = 70;
export const NEG_RISK_QUESTIONS = 8;
const NEG_RISK = 2 * NEG_RISK_QUESTIONS;
export const LONG_IN_BLOCK = BLOCK - FIVE_MINUTE;
/** Of the markets that last longer than five minutes, by event. */
const CLOSED_SHARE = 0.8;
const DAYS = 90;
const FIVE_MINUTES_MS = 5 * MINUTE_MS;
const ASSETS = ["Bitcoin", "Ethereum", "Solana", "XRP", "Dogecoin", "BNB", "Hype"];
const TOPICS = ["Politics", "Soccer", "Basketball", "Esports", "Geopolitics", "Pop Culture", "Tennis", "Stocks"];
const RESOLVED_AFTER_MS = 30_000;

export class MarketShapes {
  readonly count: number;
  readonly nowMs: number;
  /** The current five minutes began here. */
  readonly #slotMs: number;
  readonly #fiveMinuteCount: number;

  /** @param nowMs the time of generation: the history ends here */
  constructor(count: number, nowMs: number) {
    this.count = count;
    this.nowMs = nowMs;
    this.#slotMs = Math.floor(nowMs / FIVE_MINUTES_MS) * FIVE_MINUTES_MS;
    this.#fiveMinuteCount = Math.floor(count / BLOCK) * FIVE_MINUTE + Math.min(FIVE_MINUTE, count % BLOCK);
  }

  /** Numbers from `count` on are the five-minute markets that begin after the time of generation. */
  at(n: number): MarketShape {
    if (n >= this.count) return this.#fiveMinute(n, n - this.count);
    const [block, place] = [Math.floor(n / BLOCK), n % BLOCK];
    if (place < FIVE_MINUTE) return this.#fiveMinute(n, block * FIVE_MINUTE + place - this.#fiveMinuteCount);
    if (place === BLOCK - 1) return this.#long(n, "combination", null, 0);
    if (place >= FIVE_MINUTE + NEG_RISK) return this.#long(n, "binary", n, 0);
    const question = (place - FIVE_MINUTE) % NEG_RISK_QUESTIONS;
    return this.#long(n, "neg_risk", n - question, question);
  }

  /** The market with this rank by volume among those that last longer than five minutes, 0 for the busiest. */
  ofRank(rank: number): number {
    return Math.floor(rank / LONG_IN_BLOCK) * BLOCK + FIVE_MINUTE + (rank % LONG_IN_BLOCK);
  }

  get ranks(): number {
    return Math.floor(this.count / BLOCK) * LONG_IN_BLOCK + Math.max(0, (this.count % BLOCK) - FIVE_MINUTE);
  }

  /** The numbers of the five-minute markets of a time at or after that of generation. */
  fiveMinuteAt(ms: number): readonly number[] {
    const slot = Math.floor((ms - this.#slotMs) / FIVE_MINUTES_MS);
    return ASSETS.map((_, asset) => this.count + slot * ASSETS.length + asset);
  }

  /** Of the history alone. */
  get fiveMinuteCount(): number {
    return this.#fiveMinuteCount;
  }

  /** The market of an ordinal among the five-minute markets of the history. */
  fiveMinuteNumber(ordinal: number): number {
    return Math.floor(ordinal / FIVE_MINUTE) * BLOCK + (ordinal % FIVE_MINUTE);
  }

  /** @param ordinal 0 for the first one of the current five minutes, negative before */
  #fiveMinute(n: number, ordinal: number): MarketShape {
    const slot = Math.floor(ordinal / ASSETS.length);
    const startMs = this.#slotMs + slot * FIVE_MINUTES_MS;
    const random = createRandom(SEED, "market", n);
    return {
      ...{ n, kind: "five_minute", conditionId: conditionOf(n, false), event: n, category: "Crypto" },
      title: `Generated: ${ASSETS[ordinal - slot * ASSETS.length]} up or down (${n})`,
      startMs,
      endMs: startMs + FIVE_MINUTES_MS,
      resolvedMs: startMs + FIVE_MINUTES_MS + RESOLVED_AFTER_MS,
      winner: random.chance(0.5) ? 0 : 1,
      priceMilli: random.integer(300, 700),
    };
  }

  #long(n: number, kind: MarketKind, event: number | null, question: number): MarketShape {
    const shared = createRandom(SEED, "event", event ?? n);
    const isClosed = shared.chance(CLOSED_SHARE);
    const startMs = wholeSecond(this.nowMs - DAYS * DAY_MS * shared.between(isClosed ? 0.05 : 0.01, 1));
    const lastEndMs = this.nowMs - HOUR_MS;
    const endMs = isClosed
      ? wholeSecond(startMs + (lastEndMs - startMs) * shared.between(0.2, 1))
      : wholeSecond(this.nowMs + shared.between(0.1, 60) * DAY_MS);
    // One question of a neg-risk event wins.
    const winning = shared.integer(0, NEG_RISK_QUESTIONS - 1);
    const random = createRandom(SEED, "market", n);
    return {
      ...{ n, kind, conditionId: conditionOf(n, kind === "combination"), event, startMs, endMs, resolvedMs: endMs },
      title: `Generated: will this happen? (${n})`,
      category: shared.pick(TOPICS),
      winner: kind === "neg_risk" ? (question === winning ? 0 : 1) : random.chance(0.5) ? 0 : 1,
      priceMilli: random.integer(50, 950),
    };
  }
}

const wholeSecond = (ms: number): number => Math.floor(ms / 1_000) * 1_000;

// The first 16 bytes differ by market: its position ids as a leg of combinations are made of them.
const conditionOf = (n: number, isCombination: boolean): string =>
  isCombination
    ? `0x03${(n + 1).toString(16).padStart(30, "0")}${TAIL.slice(2)}`
    : `0x${(n + 1).toString(16).padStart(32, "0")}${TAIL}`;

const TAIL = "11".repeat(16);

/** The number of a generated condition id; null for another one. */
export function numberOfCondition(conditionId: string): number | null {
  const digits = /^0x(?:00|03)([0-9a-f]{30})(?:11){15,16}$/.exec(conditionId)?.[1];
  if (digits === undefined) return null;
  const n = Number(BigInt(`0x${digits}`)) - 1;
  return Number.isSafeInteger(n) && n >= 0 ? n : null;
}

/** As long as those of the provider. */
export const tokenOf = ({ n, kind, conditionId }: MarketShape, outcome: 0 | 1): string =>
  kind === "combination" ? positionId(conditionId, outcome) : `1${String(2 * n + outcome).padStart(76, "0")}`;

/** The market number and outcome of a token; null for another one. */
export function numberOfToken(tokenId: string): { readonly n: number; readonly outcome: 0 | 1 } | null {
  if (tokenId.length !== 77 || !tokenId.startsWith("1000")) return null;
  const value = Number(tokenId.slice(1));
  return { n: Math.floor(value / 2), outcome: value % 2 === 0 ? 0 : 1 };
}

export const addressOf = (trader: number): string => `0x${(trader + 1).toString(16).padStart(40, "0")}`;
export const eventSlugOf = (event: number): string => `generated-event-${event}`;
export const marketSlugOf = (n: number): string => `generated-market-${n}`;

/** A rank below `count` with the probability of Zipf's law: the logarithm of the rank is uniform. */
export const zipfRank = (uniform: number, count: number): number =>
  Math.min(count - 1, Math.floor(Math.exp(uniform * Math.log(count + 1))) - 1);
