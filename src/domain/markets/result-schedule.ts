import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../scoring/utc-calendar.ts";

/** The facts that decide when a market's result is requested. Times are epoch milliseconds. */
export interface ResultFacts {
  readonly isClosed: boolean;
  /** Null while open, or when the provider does not give it. */
  readonly closedAtMs: number | null;
  /** The announced end; it may move, and trading may continue after it. Null when unknown. */
  readonly endAtMs: number | null;
  /** UTC midnight of the day on which the result counts; null without a result. */
  readonly settledOnMs: number | null;
}

export interface ScheduledResult extends ResultFacts {
  /** Null while there is nothing to request. */
  readonly dueAtMs: number | null;
}

const SECOND_MS = 1_000;

const SHORTEST_GAP = 10 * SECOND_MS;
const LONGEST_GAP = 10 * MINUTE_MS;
/**
 * The gap is this fraction of the elapsed time, so that a result is found within a few percent of the time it
 * took to appear.
 */
const GAP_SHARE = 1 / 20;
/** A market without a result this long after its end is checked once a day. */
const OVERDUE_AFTER = 7 * DAY_MS;
const OVERDUE_GAP = DAY_MS;
/** The provider publishes a result shortly after its expected time. */
const AFTER_EXPECTED = 2 * SECOND_MS;
/** A settled result is checked again for this long, because the provider may reverse it. */
const REVERSIBLE_FOR = 7 * DAY_MS;
const REVERSAL_GAP = 6 * HOUR_MS;

/** When trading ended; null while it has not, according to these facts. */
function overSince({ isClosed, closedAtMs, endAtMs }: ResultFacts, now: number): number | null {
  if (isClosed) return Math.min(closedAtMs ?? endAtMs ?? now, now);
  return endAtMs !== null && endAtMs <= now ? endAtMs : null;
}

/** The first check of a market that is new or has changed: at its end. Null while no end is known. */
const firstResultCheck = (facts: ResultFacts, now: number): number | null => overSince(facts, now) ?? facts.endAtMs;

/**
 * Decides the next result check after the provider's market object has been read: unchanged, unless the
 * market has closed, was reopened or has another end; immediately when the object says that it is resolved.
 *
 * @param before null for a market without an earlier description
 */
export function resultCheckAfterHydration(
  before: ScheduledResult | null,
  after: ScheduledResult,
  saysResolved: boolean,
  now: number,
): number | null {
  if (after.settledOnMs !== null) return after.dueAtMs;
  const hasChanged = before === null || before.isClosed !== after.isClosed || before.endAtMs !== after.endAtMs;
  const dueAtMs = (hasChanged ? null : after.dueAtMs) ?? firstResultCheck(after, now);
  return saysResolved ? Math.min(dueAtMs ?? now, now) : dueAtMs;
}

/**
 * Decides the next result check after a check. Without a result, the gaps grow with the time since the
 * market's end, or since the time at which the provider expected the result; a check always takes place at
 * the expected time. A result may be reversed, and the market object may close some time after it.
 *
 * @param expectedAtMs when the provider expects the result; null when it gives no time
 * @returns null when no further check is needed: the market is open without an end, or its result is final
 */
export function nextResultCheck(facts: ResultFacts, expectedAtMs: number | null, now: number): number | null {
  if (facts.settledOnMs !== null) {
    if (now >= facts.settledOnMs + DAY_MS + REVERSIBLE_FOR) return null;
    return now + (facts.isClosed ? REVERSAL_GAP : LONGEST_GAP);
  }
  const over = overSince(facts, now);
  if (over === null) return facts.endAtMs;
  const isExpectedLater = expectedAtMs !== null && expectedAtMs > now;
  const waited = now - Math.max(over, expectedAtMs === null || isExpectedLater ? over : expectedAtMs);
  const gap = waited > OVERDUE_AFTER ? OVERDUE_GAP : Math.min(LONGEST_GAP, Math.max(SHORTEST_GAP, waited * GAP_SHARE));
  return isExpectedLater ? Math.min(now + gap, expectedAtMs + AFTER_EXPECTED) : now + gap;
}
