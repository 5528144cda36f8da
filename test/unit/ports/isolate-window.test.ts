import fc from "fast-check";
import { expect, test } from "vitest";
import { IsolateWindow } from "../../../src/ports/isolate-window.ts";

const START = 1_790_000_000_000;
const MINUTE_MS = 60_000;

/** Milliseconds from one request to the next: bursts, a steady stream and pauses. */
const pauses = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4_000 }), fc.integer({ min: 0, max: 90_000 })), {
  minLength: 1,
  maxLength: 200,
});

test("no span of 60 seconds, wherever it starts, admits more than the limit", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), pauses, (limit, waits) => {
      const window = new IsolateWindow();
      const admitted: number[] = [];
      let now = START;
      for (const wait of waits) {
        now += wait;
        if (window.spend("a", limit, now).refusedBy === null) admitted.push(now);
      }
      for (const from of admitted) {
        expect(admitted.filter((at) => at >= from && at < from + MINUTE_MS).length).toBeLessThanOrEqual(limit);
      }
    }),
    { numRuns: 500 },
  );
});

test("nobody is refused while fewer than the limit were admitted in the 60 seconds before", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), pauses, (limit, waits) => {
      const window = new IsolateWindow();
      const admitted: number[] = [];
      let now = START;
      for (const wait of waits) {
        now += wait;
        const inWindow = admitted.filter((at) => at > now - MINUTE_MS).length;
        const verdict = window.spend("a", limit, now);
        expect(verdict.refusedBy).toBe(inWindow < limit ? null : "limited");
        expect(verdict.remaining).toBe(inWindow < limit ? limit - inWindow - 1 : 0);
        if (verdict.refusedBy === null) admitted.push(now);
      }
    }),
    { numRuns: 500 },
  );
});

test("a client that comes back at retryAtMs is admitted, and one that comes a millisecond sooner is not", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), pauses, (limit, waits) => {
      const window = new IsolateWindow();
      let now = START;
      for (const wait of waits) {
        now += wait;
        const { refusedBy, retryAtMs } = window.spend("a", limit, now);
        expect(retryAtMs === null).toBe(refusedBy === null);
        if (retryAtMs === null) continue;
        expect(retryAtMs).toBeGreaterThan(now);
        expect(retryAtMs).toBeLessThanOrEqual(now + MINUTE_MS);
        expect(window.spend("a", limit, retryAtMs - 1).refusedBy).toBe("limited");
        now = retryAtMs;
        expect(window.spend("a", limit, now).refusedBy).toBeNull();
      }
    }),
    { numRuns: 500 },
  );
});

test("the verdict tells what is left, when all of it is back, and when the next one is", () => {
  const window = new IsolateWindow();
  expect(window.spend("a", 2, START)).toEqual({ refusedBy: null, retryAtMs: null, limit: 2, remaining: 1, resetAtMs: START + 60_000 });
  expect(window.spend("a", 2, START + 10_000)).toMatchObject({ refusedBy: null, remaining: 0, resetAtMs: START + 70_000 });
  expect(window.spend("a", 2, START + 30_000)).toEqual({
    refusedBy: "limited",
    retryAtMs: START + 60_000,
    limit: 2,
    remaining: 0,
    resetAtMs: START + 70_000,
  });
  expect(window.spend("b", 2, START + 30_000)).toMatchObject({ refusedBy: null, remaining: 1 });
});

test("callers beyond the ten-thousandth push out the one silent for longest", () => {
  const window = new IsolateWindow();
  for (const caller of ["kept", "forgotten", "kept"]) window.spend(caller, 2, START);
  for (let i = 0; i < 9_999; i++) window.spend(`other ${i}`, 2, START);
  expect(window.spend("kept", 2, START).refusedBy).toBe("limited");
  expect(window.spend("forgotten", 2, START).remaining).toBe(1);
});
