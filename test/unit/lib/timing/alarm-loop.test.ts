import { beforeEach, describe, expect, test } from "vitest";
import { AlarmLoop } from "../../../../src/lib/timing/alarm-loop.ts";

const T0 = 1_000_000;
const WATCHDOG_MS = 30_000;

let now: number;
let alarm: number | null;
/** What the next turns do, in order. */
let turns: (() => Promise<number | null>)[];
let failures: number[];

const storage = {
  getAlarm: async () => alarm,
  setAlarm: async (at: number) => void (alarm = at),
  deleteAlarm: async () => void (alarm = null),
};

const aLoop = () =>
  new AlarmLoop({
    storage,
    now: () => now,
    watchdogMs: WATCHDOG_MS,
    turn: () => turns.shift()?.() ?? Promise.resolve(null),
    retryMs: (_, count) => {
      failures.push(count);
      return 1_000 * count;
    },
  });

const dueIn = (ms: number) => async () => now + ms;

beforeEach(() => {
  [now, alarm, turns, failures] = [T0, null, [], []];
});

describe("after a turn", () => {
  test("the alarm is set to the time that the turn returned", async () => {
    turns = [dueIn(5_000)];
    await aLoop().alarm();
    expect(alarm).toBe(T0 + 5_000);
  });

  test("a time in the past becomes a short pause", async () => {
    turns = [dueIn(-5_000)];
    await aLoop().alarm();
    expect(alarm).toBe(T0 + 10);
  });

  test("a turn that has nothing due removes the alarm", async () => {
    alarm = T0;
    await aLoop().alarm();
    expect(alarm).toBeNull();
  });

  test("a turn that throws is tried again, later with each failure in a row", async () => {
    const fails = () => Promise.reject(new Error("away"));
    turns = [fails, fails, dueIn(7), fails];
    const loop = aLoop();
    const alarms: (number | null)[] = [];
    for (let i = 0; i < 4; i++) {
      await loop.alarm();
      alarms.push(alarm);
    }
    expect(alarms).toEqual([T0 + 1_000, T0 + 2_000, T0 + 10, T0 + 1_000]);
    expect(failures).toEqual([1, 2, 1]);
  });
});

describe("during a turn", () => {
  test("the watchdog is set, so that an object that dies in it continues", async () => {
    turns = [async () => alarm];
    await aLoop().alarm();
    expect(alarm).toBe(T0 + WATCHDOG_MS);
  });

  test("a wake-up starts another turn at once after it", async () => {
    const loop = aLoop();
    turns = [
      async () => {
        await loop.wake();
        return now + 60_000;
      },
    ];
    await loop.alarm();
    expect(alarm).toBe(T0);
  });

  test("a wake-up during a turn that fails waits for the retry", async () => {
    const loop = aLoop();
    turns = [
      async () => {
        await loop.wake();
        throw new Error("away");
      },
    ];
    await loop.alarm();
    expect(alarm).toBe(T0 + 1_000);
  });

  test("a wake-up of an earlier turn is not repeated", async () => {
    const loop = aLoop();
    turns = [
      async () => {
        await loop.wake();
        return null;
      },
      dueIn(60_000),
    ];
    await loop.alarm();
    await loop.alarm();
    expect(alarm).toBe(T0 + 60_000);
  });

  test("a time that is set from outside leaves the watchdog alone", async () => {
    const loop = aLoop();
    turns = [
      async () => {
        await loop.wakeBy(T0 + 1);
        expect(alarm).toBe(T0 + WATCHDOG_MS);
        return now + 500;
      },
    ];
    await loop.alarm();
    expect(alarm).toBe(T0 + 500);
  });
});

describe("between turns", () => {
  test("a wake-up sets the alarm to now", async () => {
    alarm = T0 + 5_000;
    await aLoop().wake();
    expect(alarm).toBe(T0);
  });

  test.each([
    ["no alarm", null, T0 + 50],
    ["a later alarm", T0 + 5_000, T0 + 50],
    ["an earlier alarm", T0 + 20, T0 + 20],
  ])("wakeBy with %s leaves the earlier of both", async (_, before, after) => {
    alarm = before;
    await aLoop().wakeBy(T0 + 50);
    expect(alarm).toBe(after);
  });

  test.each([
    ["restores a missing alarm", null, T0],
    ["restores an alarm that is past due", T0 - 1, T0],
    ["leaves a future alarm alone", T0 + 5_000, T0 + 5_000],
  ])("keepAlive %s", async (_, before, after) => {
    alarm = before;
    await aLoop().keepAlive();
    expect(alarm).toBe(after);
  });
});
