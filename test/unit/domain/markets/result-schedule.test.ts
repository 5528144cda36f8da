import { describe, expect, test } from "vitest";
import {
  nextResultCheck,
  resultCheckAfterHydration,
  type ResultFacts,
} from "../../../../src/domain/markets/result-schedule.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../src/scoring/utc-calendar.ts";

const SECOND = 1_000;
/** Noon. */
const END = Date.UTC(2026, 10, 20, 12);
const MIDNIGHT = Date.UTC(2026, 10, 20);

const OPEN: ResultFacts = { isClosed: false, closedAtMs: null, endAtMs: END, settledOnMs: null };
const ENDLESS: ResultFacts = { ...OPEN, endAtMs: null };
const CLOSED: ResultFacts = { ...OPEN, isClosed: true, closedAtMs: END - HOUR_MS };
const SETTLED: ResultFacts = { ...CLOSED, settledOnMs: MIDNIGHT };

describe("the next result check after a check", () => {
  test.for([
    { title: "at its end while it is open", facts: OPEN, now: END - 3 * HOUR_MS, next: END },
    { title: "never while it is open without an end", facts: ENDLESS, now: END, next: null },
    { title: "ten seconds after its end", facts: OPEN, now: END, next: END + 10 * SECOND },
    {
      title: "every ten seconds for the first 200 seconds",
      facts: OPEN,
      now: END + 190 * SECOND,
      next: END + 200 * SECOND,
    },
    {
      title: "after a twentieth of an hour, an hour after its end",
      facts: OPEN,
      now: END + HOUR_MS,
      next: END + HOUR_MS + 3 * MINUTE_MS,
    },
    {
      title: "after at most ten minutes",
      facts: OPEN,
      now: END + 30 * HOUR_MS,
      next: END + 30 * HOUR_MS + 10 * MINUTE_MS,
    },
    { title: "once a day after a week", facts: OPEN, now: END + 8 * DAY_MS, next: END + 9 * DAY_MS },
    {
      title: "counted from its close when that was before its end",
      facts: CLOSED,
      now: END - HOUR_MS + 20 * SECOND,
      next: END - HOUR_MS + 30 * SECOND,
    },
    {
      title: "counted from its end when its close time is unknown",
      facts: { ...CLOSED, closedAtMs: null },
      now: END + HOUR_MS,
      next: END + HOUR_MS + 3 * MINUTE_MS,
    },
    {
      title: "soon when it is closed and neither time is known",
      facts: { ...ENDLESS, isClosed: true },
      now: END,
      next: END + 10 * SECOND,
    },
    {
      title: "soon when it closed long before its end",
      facts: { ...CLOSED, closedAtMs: null },
      now: END - DAY_MS,
      next: END - DAY_MS + 10 * SECOND,
    },
    { title: "in six hours when it has a result", facts: SETTLED, now: END, next: END + 6 * HOUR_MS },
    {
      title: "in ten minutes when it has a result and is not described as closed",
      facts: { ...SETTLED, isClosed: false },
      now: END,
      next: END + 10 * MINUTE_MS,
    },
    { title: "never once its result is a week old", facts: SETTLED, now: MIDNIGHT + 8 * DAY_MS, next: null },
  ])("a checked market is checked again $title", ({ facts, now, next }) => {
    expect(nextResultCheck(facts, null, now)).toBe(next);
  });

  test.for([
    {
      title: "two seconds after the result is expected",
      now: END + 2 * HOUR_MS,
      expected: END + 2 * HOUR_MS + 15 * SECOND,
      next: END + 2 * HOUR_MS + 17 * SECOND,
    },
    {
      title: "after the growing gap when the result is expected later",
      now: END + HOUR_MS,
      expected: END + 2 * HOUR_MS,
      next: END + HOUR_MS + 3 * MINUTE_MS,
    },
    {
      title: "often again once the expected time has passed",
      now: END + 2 * HOUR_MS + 40 * SECOND,
      expected: END + 2 * HOUR_MS,
      next: END + 2 * HOUR_MS + 50 * SECOND,
    },
    {
      title: "counted from its end when the result was expected earlier",
      now: END + HOUR_MS,
      expected: END - HOUR_MS,
      next: END + HOUR_MS + 3 * MINUTE_MS,
    },
  ])("a market with an expected result is checked again $title", ({ now, expected, next }) => {
    expect(nextResultCheck(OPEN, expected, now)).toBe(next);
  });
});

describe("the next result check after a description", () => {
  const due = (facts: ResultFacts, dueAtMs: number | null) => ({ ...facts, dueAtMs });
  test.for([
    { title: "at its end, when it is new", before: null, after: due(OPEN, null), next: END },
    { title: "never, when it is new, open and without an end", before: null, after: due(ENDLESS, null), next: null },
    { title: "from its close, when it is new and closed", before: null, after: due(CLOSED, null), next: END - HOUR_MS },
    {
      title: "as scheduled, when nothing has changed",
      before: due(OPEN, END + HOUR_MS),
      after: due(OPEN, END + HOUR_MS),
      next: END + HOUR_MS,
    },
    {
      title: "at once, when it has closed before its end",
      before: due(OPEN, END),
      after: due(CLOSED, END),
      next: END - HOUR_MS,
    },
    {
      title: "at its new end, when the end has moved",
      before: due(OPEN, END),
      after: due({ ...OPEN, endAtMs: END + DAY_MS }, END),
      next: END + DAY_MS,
    },
    {
      title: "at its end, when it is open again",
      before: due(CLOSED, END - HOUR_MS),
      after: due(OPEN, END - HOUR_MS),
      next: END,
    },
    {
      title: "on the reversal schedule, when it has a result",
      before: due(OPEN, 7),
      after: due(SETTLED, END + DAY_MS),
      next: END + DAY_MS,
    },
  ])("a described market is checked $title", ({ before, after, next }) => {
    expect(resultCheckAfterHydration(before, after, false, END - 2 * MINUTE_MS)).toBe(next);
  });

  test.for([
    { title: "open without an end", facts: due(ENDLESS, null) },
    { title: "closed and due later", facts: due(CLOSED, END + HOUR_MS) },
  ])("a market described as resolved is checked at once when it is $title", ({ facts }) => {
    expect(resultCheckAfterHydration(facts, facts, true, END)).toBe(END);
  });
});

// Computed by hand: 20 gaps of ten seconds, 84 gaps that grow by a twentieth up to ten minutes, then 144 a
// day.
test("a market without a result is checked 20 times in its first 200 seconds, about 230 times in its first day and 1,090 in its first week", () => {
  const counts = [200 * SECOND, DAY_MS, 7 * DAY_MS].map((span) => {
    let checks = 0;
    for (let now: number | null = END; now !== null && now < END + span; now = nextResultCheck(OPEN, null, now))
      checks += 1;
    return checks;
  });
  expect(counts[0]).toBe(20);
  expect(Math.abs((counts[1] ?? 0) - 228)).toBeLessThan(5);
  expect(Math.abs((counts[2] ?? 0) - 1_092)).toBeLessThan(5);
});
