import fc from "fast-check";
import { expect, test } from "vitest";
import { LocalSlidingWindow } from "../../../src/platform/rate-limit/local-sliding-window.ts";
import { sized } from "../../support/sized.ts";
import { MINUTE_MS } from "../../../src/scoring/utc-calendar.ts";

const START = 1_790_000_000_000;

/** Milliseconds from one request to the next: bursts, a steady stream and pauses. */
const pauses = fc.array(
  fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4_000 }), fc.integer({ min: 0, max: 90_000 })),
  {
    minLength: 1,
    maxLength: 200,
  },
);

test("no span of 60 seconds, wherever it starts, admits more than the limit", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), pauses, (limit, waits) => {
      const window = new LocalSlidingWindow();
      const admitted: number[] = [];
      let now = START;
      for (const wait of waits) {
        now += wait;
        if (window.spend("a", limit, now).refusedBy === null) admitted.push(now);
      }
      const counts = admitted.map((from) => admitted.filter((at) => at >= from && at < from + MINUTE_MS).length);
      expect(Math.max(0, ...counts)).toBeLessThanOrEqual(limit);
    }),
    { numRuns: sized({ short: 150, full: 500 }) },
  );
});

test("a request is admitted while fewer than the limit were admitted in the last 60 seconds", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), pauses, (limit, waits) => {
      const window = new LocalSlidingWindow();
      const admitted: number[] = [];
      let now = START;
      const rounds = waits.map((wait) => {
        now += wait;
        const inWindow = admitted.filter((at) => at > now - MINUTE_MS).length;
        const { refusedBy, remaining } = window.spend("a", limit, now);
        if (refusedBy === null) admitted.push(now);
        const isFree = inWindow < limit;
        return {
          verdict: { refusedBy, remaining },
          expected: { refusedBy: isFree ? null : "limited", remaining: isFree ? limit - inWindow - 1 : 0 },
        };
      });
      expect(rounds.map(({ verdict }) => verdict)).toEqual(rounds.map(({ expected }) => expected));
    }),
    { numRuns: sized({ short: 150, full: 500 }) },
  );
});

test("a client that retries at retryAtMs is admitted, and one that retries a millisecond earlier is not", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), pauses, (limit, waits) => {
      const window = new LocalSlidingWindow();
      let now = START;
      for (const wait of waits) {
        now += wait;
        const { refusedBy, retryAtMs } = window.spend("a", limit, now);
        if (retryAtMs === null && refusedBy === null) continue;
        if (retryAtMs === null || refusedBy === null)
          throw new Error("a refusal has a retry time, an admission has none");
        expect(retryAtMs).toBeGreaterThan(now);
        expect(retryAtMs).toBeLessThanOrEqual(now + MINUTE_MS);
        expect(window.spend("a", limit, retryAtMs - 1).refusedBy).toBe("limited");
        now = retryAtMs;
        expect(window.spend("a", limit, now).refusedBy).toBeNull();
      }
    }),
    { numRuns: sized({ short: 150, full: 500 }) },
  );
});

test("the verdict of the window reports the remaining requests, the reset time and the retry time", () => {
  const window = new LocalSlidingWindow();
  expect(window.spend("a", 2, START)).toEqual({
    refusedBy: null,
    retryAtMs: null,
    limit: 2,
    remaining: 1,
    resetAtMs: START + 60_000,
  });
  expect(window.spend("a", 2, START + 10_000)).toMatchObject({
    refusedBy: null,
    remaining: 0,
    resetAtMs: START + 70_000,
  });
  expect(window.spend("a", 2, START + 30_000)).toEqual({
    refusedBy: "limited",
    retryAtMs: START + 60_000,
    limit: 2,
    remaining: 0,
    resetAtMs: START + 70_000,
  });
  expect(window.spend("b", 2, START + 30_000)).toMatchObject({ refusedBy: null, remaining: 1 });
});

test("callers beyond the ten-thousandth evict the caller that was silent for longest", () => {
  const window = new LocalSlidingWindow();
  for (const caller of ["kept", "forgotten", "kept"]) window.spend(caller, 2, START);
  for (let i = 0; i < 9_999; i++) window.spend(`other ${i}`, 2, START);
  expect(window.spend("kept", 2, START).refusedBy).toBe("limited");
  expect(window.spend("forgotten", 2, START).remaining).toBe(1);
});
