import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decideCooldown,
  levelResetAtMs,
  IP_COOLDOWN,
  type Cooldown,
} from "../../../../src/platform/rate-limit/ip-cooldown.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../src/scoring/utc-calendar.ts";

const WEEK_MS = 7 * DAY_MS;

/** 14 seconds into a UTC minute. */
const NOW = Date.UTC(2026, 9, 5, 12, 30, 14);
const MINUTE_END = Date.UTC(2026, 9, 5, 12, 31, 0);

const SUSTAINED = [0, 0, 0, 0, 0, 100, 100, 100, 100, 100];

describe("sustained excess", () => {
  test.for([
    ["five consecutive", SUSTAINED, true],
    ["five with quiet minutes between them", [500, 0, 100, 0, 100, 0, 100, 0, 0, 100], true],
    ["all ten", Array(10).fill(5_000), true],
    ["four", [0, 0, 0, 0, 0, 0, 9_999, 9_999, 9_999, 9_999], false],
    ["ten with 99 refusals", Array(10).fill(99), false],
    ["four, and one with 99 refusals,", [0, 0, 0, 0, 0, 99, 100, 100, 100, 100], false],
    ["zero", Array(10).fill(0), false],
  ] as const)("%s minutes of refusals, %j, count as sustained excess: %s", ([, refusals, sustained]) => {
    expect(decideCooldown(refusals, null, NOW) !== null).toBe(sustained);
  });
});

describe("the cooldown ladder", () => {
  /** A cooldown that ended before the current minute and the four before it. */
  const justOver = (level: number): Cooldown => ({ level, untilMs: MINUTE_END - 5 * MINUTE_MS });

  test.for([
    [null, 1, 5 * MINUTE_MS],
    [justOver(1), 2, 30 * MINUTE_MS],
    [justOver(2), 3, 4 * HOUR_MS],
    [justOver(3), 4, DAY_MS],
    [justOver(4), 5, 3 * DAY_MS],
    [justOver(5), 5, 3 * DAY_MS],
  ] as const)(
    "the cooldown after %j is level %i for %i ms from the end of the minute",
    ([previous, level, durationMs]) => {
      expect(decideCooldown(SUSTAINED, previous, NOW)).toEqual({ level, untilMs: MINUTE_END + durationMs });
    },
  );

  test.for([
    [5, WEEK_MS - 1, 5],
    [5, WEEK_MS, 5],
    [4, WEEK_MS - 1, 5],
    [4, WEEK_MS, 4],
    [4, 2 * WEEK_MS - 1, 4],
    [4, 2 * WEEK_MS, 3],
    [4, 3 * WEEK_MS, 2],
    [4, 4 * WEEK_MS, 1],
    [4, 40 * WEEK_MS, 1],
    [1, WEEK_MS, 1],
  ] as const)("after level %i and %i ms without a cooldown the next one is level %i", ([before, quietMs, after]) => {
    expect(decideCooldown(SUSTAINED, { level: before, untilMs: NOW - quietMs }, NOW)?.level).toBe(after);
  });

  test("a cooldown is forgotten once it no longer raises the next one", () => {
    const previous = { level: 3, untilMs: NOW };
    const forgottenAt = levelResetAtMs(previous);
    expect(forgottenAt).toBe(NOW + 3 * WEEK_MS);
    expect(decideCooldown(SUSTAINED, previous, forgottenAt - 1)?.level).toBe(2);
    expect(decideCooldown(SUSTAINED, previous, forgottenAt)?.level).toBe(
      decideCooldown(SUSTAINED, null, forgottenAt)?.level,
    );
  });
});

test("a minute of a key counts as excess from the number of refusals that the caller gives", () => {
  const { refusedOfKeyInExcess } = IP_COOLDOWN;
  const sustained = SUSTAINED.map((refused) => (refused > 0 ? refusedOfKeyInExcess : 0));
  const below = sustained.map((refused) => Math.max(0, refused - 1));
  expect(decideCooldown(sustained, null, NOW, refusedOfKeyInExcess)).toEqual({
    level: 1,
    untilMs: MINUTE_END + 5 * MINUTE_MS,
  });
  expect(decideCooldown(below, null, NOW, refusedOfKeyInExcess)).toBeNull();
});

test("a cooldown follows at least five minutes of excess after the previous cooldown", () => {
  const minutes = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 10, maxLength: 10 });
  const before = fc.option(
    fc.record({ level: fc.integer({ min: 1, max: 5 }), untilMs: fc.integer({ min: NOW - 2 * WEEK_MS, max: NOW }) }),
  );
  fc.assert(
    fc.property(minutes, before, fc.constantFrom(100, 200), (refusals, previous, limit) => {
      // Counted here minute by minute, from the current one back to the end of the last cooldown.
      let excess = 0;
      for (let ago = 0; ago < 10; ago++) {
        const startMs = MINUTE_END - (ago + 1) * MINUTE_MS;
        if ((previous === null || startMs >= previous.untilMs) && (refusals[9 - ago] ?? 0) >= limit) excess++;
      }
      const decided = decideCooldown(refusals, previous, NOW, limit);
      expect(decided !== null).toBe(excess >= 5);
      expect((decided?.untilMs ?? Infinity) - MINUTE_END).toBeGreaterThanOrEqual(5 * MINUTE_MS);
    }),
  );
});

test("a running cooldown is not changed by further excess", () => {
  const running = { level: 1, untilMs: NOW + 1 };
  expect(decideCooldown(Array(10).fill(9_999), running, NOW)).toBe(running);
  expect(decideCooldown(Array(10).fill(0), running, NOW)).toBe(running);
});

test("excess from before the end of a cooldown does not start the next one", () => {
  const refusals = [100, 100, 100, 100, 100, 0, 100, 100, 100, 100];
  const over = { level: 1, untilMs: MINUTE_END - 4 * MINUTE_MS };
  expect(decideCooldown(refusals, over, NOW)).toBeNull();
  expect(decideCooldown(refusals, null, NOW)).not.toBeNull();
});

test("isolates that find the same excess at different seconds of a minute decide the same cooldown", () => {
  const decisions = [0, 13, 45.999].map((seconds) => decideCooldown(SUSTAINED, null, NOW + seconds * 1000));
  expect(decisions).toEqual(decisions.map(() => ({ level: 1, untilMs: MINUTE_END + 5 * MINUTE_MS })));
});
