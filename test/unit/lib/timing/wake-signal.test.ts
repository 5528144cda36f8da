import { expect, test } from "vitest";
import { WakeSignal } from "../../../../src/lib/timing/wake-signal.ts";

test("a signal that is set before a wait ends the wait at once, until it is taken", async () => {
  const signal = new WakeSignal();
  signal.set();
  await signal.wait();
  expect([signal.takeSet(), signal.takeSet()]).toEqual([true, false]);
});

test("a resumed wait ends, and the signal is not set", async () => {
  const signal = new WakeSignal();
  let ended = 0;
  const waits = [signal.wait(), signal.wait()].map((wait) => wait.then(() => ended++));
  signal.resume();
  await Promise.all(waits);
  expect([ended, signal.takeSet()]).toEqual([2, false]);
});

test("a wait without a limit lasts until the signal is set", async () => {
  const signal = new WakeSignal();
  signal.resume();
  let hasEnded = false;
  const wait = signal.wait().then(() => (hasEnded = true));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(hasEnded).toBe(false);
  signal.set();
  await wait;
  expect(signal.takeSet()).toBe(true);
});
