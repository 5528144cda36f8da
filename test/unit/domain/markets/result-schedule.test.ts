import { describe, expect, test } from "vitest";
import {
  nextResultCheck,
  resultCheckAfterHydration,
  type ResultFacts,
} from "../../../../src/domain/markets/result-schedule.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Noon. */
const END = Date.UTC(2026, 10, 20, 12);
const MIDNIGHT = Date.UTC(2026, 10, 20);

const OPEN: ResultFacts = { isClosed: false, closedAtMs: null, endAtMs: END, settledOnMs: null };
const ENDLESS: ResultFacts = { ...OPEN, endAtMs: null };
const CLOSED: ResultFacts = { ...OPEN, isClosed: true, closedAtMs: END - HOUR };
const SETTLED: ResultFacts = { ...CLOSED, settledOnMs: MIDNIGHT };

describe("the next result check after a check", () => {
  test.for([
    { title: "at its end while it is open", facts: OPEN, now: END - 3 * HOUR, next: END },
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
      now: END + HOUR,
      next: END + HOUR + 3 * MINUTE,
    },
    { title: "after at most ten minutes", facts: OPEN, now: END + 30 * HOUR, next: END + 30 * HOUR + 10 * MINUTE },
    { title: "once a day after a week", facts: OPEN, now: END + 8 * DAY, next: END + 9 * DAY },
    {
      title: "counted from its close when that was before its end",
      facts: CLOSED,
      now: END - HOUR + 20 * SECOND,
      next: END - HOUR + 30 * SECOND,
    },
    {
      title: "counted from its end when its close time is unknown",
      facts: { ...CLOSED, closedAtMs: null },
      now: END + HOUR,
      next: END + HOUR + 3 * MINUTE,
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
      now: END - DAY,
      next: END - DAY + 10 * SECOND,
    },
    { title: "in six hours when it has a result", facts: SETTLED, now: END, next: END + 6 * HOUR },
    {
      title: "in ten minutes when it has a result and is not described as closed",
      facts: { ...SETTLED, isClosed: false },
      now: END,
      next: END + 10 * MINUTE,
    },
    { title: "never once its result is a week old", facts: SETTLED, now: MIDNIGHT + 8 * DAY, next: null },
  ])("a checked market is checked again $title", ({ facts, now, next }) => {
    expect(nextResultCheck(facts, null, now)).toBe(next);
  });

  test.for([
    {
      title: "two seconds after the result is expected",
      now: END + 2 * HOUR,
      expected: END + 2 * HOUR + 15 * SECOND,
      next: END + 2 * HOUR + 17 * SECOND,
    },
    {
      title: "after the growing gap when the result is expected later",
      now: END + HOUR,
      expected: END + 2 * HOUR,
      next: END + HOUR + 3 * MINUTE,
    },
    {
      title: "often again once the expected time has passed",
      now: END + 2 * HOUR + 40 * SECOND,
      expected: END + 2 * HOUR,
      next: END + 2 * HOUR + 50 * SECOND,
    },
    {
      title: "counted from its end when the result was expected earlier",
      now: END + HOUR,
      expected: END - HOUR,
      next: END + HOUR + 3 * MINUTE,
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
    { title: "from its close, when it is new and closed", before: null, after: due(CLOSED, null), next: END - HOUR },
    {
      title: "as scheduled, when nothing has changed",
      before: due(OPEN, END + HOUR),
      after: due(OPEN, END + HOUR),
      next: END + HOUR,
    },
    {
      title: "at once, when it has closed before its end",
      before: due(OPEN, END),
      after: due(CLOSED, END),
      next: END - HOUR,
    },
    {
      title: "at its new end, when the end has moved",
      before: due(OPEN, END),
      after: due({ ...OPEN, endAtMs: END + DAY }, END),
      next: END + DAY,
    },
    {
      title: "at its end, when it is open again",
      before: due(CLOSED, END - HOUR),
      after: due(OPEN, END - HOUR),
      next: END,
    },
    {
      title: "on the reversal schedule, when it has a result",
      before: due(OPEN, 7),
      after: due(SETTLED, END + DAY),
      next: END + DAY,
    },
  ])("a described market is checked $title", ({ before, after, next }) => {
    expect(resultCheckAfterHydration(before, after, false, END - 2 * MINUTE)).toBe(next);
  });

  test.for([
    { title: "open without an end", facts: due(ENDLESS, null) },
    { title: "closed and due later", facts: due(CLOSED, END + HOUR) },
  ])("a market described as resolved is checked at once when it is $title", ({ facts }) => {
    expect(resultCheckAfterHydration(facts, facts, true, END)).toBe(END);
  });
});

// Computed by hand: 20 gaps of ten seconds, 84 gaps that grow by a twentieth up to ten minutes, then 144 a
// day.
test("a market without a result is checked 20 times in its first 200 seconds, about 230 times in its first day and 1,090 in its first week", () => {
  const counts = [200 * SECOND, DAY, 7 * DAY].map((span) => {
    let checks = 0;
    for (let now: number | null = END; now !== null && now < END + span; now = nextResultCheck(OPEN, null, now))
      checks += 1;
    return checks;
  });
  expect(counts[0]).toBe(20);
  expect(Math.abs((counts[1] ?? 0) - 228)).toBeLessThan(5);
  expect(Math.abs((counts[2] ?? 0) - 1_092)).toBeLessThan(5);
});
