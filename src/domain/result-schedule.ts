/** What decides when a market is asked for its result. Times are epoch milliseconds. */
export interface ResultFacts {
  readonly isClosed: boolean;
  /** Null while open, or when the provider does not say. */
  readonly closedAtMs: number | null;
  /** The end that the market was given; it may move, and trading may go on after it. Null when none is known. */
  readonly endAtMs: number | null;
  /** UTC midnight of the day its result counts on; null without a result. */
  readonly settledOnMs: number | null;
}

export interface ScheduledResult extends ResultFacts {
  /** Null while there is nothing to ask for. */
  readonly dueAtMs: number | null;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const SHORTEST_GAP = 10 * SECOND;
const LONGEST_GAP = 10 * MINUTE;
/** The gap grows to this share of the time that has passed, so that a result is known within a few per cent of how long it took to come. */
const GAP_SHARE = 1 / 20;
/** A market without a result this long after its end is asked once a day. */
const OVERDUE_AFTER = 7 * DAY;
const OVERDUE_GAP = DAY;
/** The provider shows a result a moment after the time at which it expects it. */
const AFTER_EXPECTED = 2 * SECOND;
/** A result is asked for again for this long after it was settled, because the provider may reverse it. */
const REVERSIBLE_FOR = 7 * DAY;
const REVERSAL_GAP = 6 * HOUR;

/** Since when trading is over; null while it is not, as far as these facts say. */
function overSince({ isClosed, closedAtMs, endAtMs }: ResultFacts, now: number): number | null {
  if (isClosed) return Math.min(closedAtMs ?? endAtMs ?? now, now);
  return endAtMs !== null && endAtMs <= now ? endAtMs : null;
}

/** When a market that has just been described, or described otherwise, is asked for: at its end. Null while no end is known. */
const firstResultCheck = (facts: ResultFacts, now: number): number | null => overSince(facts, now) ?? facts.endAtMs;

/**
 * When a market is asked for its result once the provider's object of it has been read: as before, unless it has closed, was reopened or has got
 * another end; at once when the object says that it is resolved.
 *
 * @param before null for a market that was not described before
 */
export function resultCheckOnceDescribed(
  before: ScheduledResult | null,
  after: ScheduledResult,
  saysResolved: boolean,
  now: number,
): number | null {
  if (after.settledOnMs !== null) return after.dueAtMs;
  const isNews = before === null || before.isClosed !== after.isClosed || before.endAtMs !== after.endAtMs;
  const dueAtMs = (isNews ? null : after.dueAtMs) ?? firstResultCheck(after, now);
  return saysResolved ? Math.min(dueAtMs ?? now, now) : dueAtMs;
}

/**
 * When a market is asked for its result again, after it has been asked. Without a result the gaps grow with the time since its end, or since
 * the time at which the provider expected it; at the time that it expects, it is asked in any case. A result may be reversed, and the market's
 * object may close a while after it.
 *
 * @param expectedAtMs when the provider expects the result; null when it does not say
 * @returns null when it need not be asked again: it is open and has no end, or its result is final
 */
export function nextResultCheck(facts: ResultFacts, expectedAtMs: number | null, now: number): number | null {
  if (facts.settledOnMs !== null) {
    if (now >= facts.settledOnMs + DAY + REVERSIBLE_FOR) return null;
    return now + (facts.isClosed ? REVERSAL_GAP : LONGEST_GAP);
  }
  const over = overSince(facts, now);
  if (over === null) return facts.endAtMs;
  const isExpectedLater = expectedAtMs !== null && expectedAtMs > now;
  const waited = now - Math.max(over, expectedAtMs === null || isExpectedLater ? over : expectedAtMs);
  const gap = waited > OVERDUE_AFTER ? OVERDUE_GAP : Math.min(LONGEST_GAP, Math.max(SHORTEST_GAP, waited * GAP_SHARE));
  return isExpectedLater ? Math.min(now + gap, expectedAtMs + AFTER_EXPECTED) : now + gap;
}
