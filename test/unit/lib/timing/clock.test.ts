import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemClock } from "../../../../src/lib/timing/clock.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a wait resolves after its time", async () => {
  const ended = vi.fn();
  void systemClock.wait(1_000).then(ended);
  await vi.advanceTimersByTimeAsync(999);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(ended).toHaveBeenCalledOnce();
});

test.each(["before", "during"])("a wait whose signal aborts %s it resolves and leaves no timer", async (when) => {
  const controller = new AbortController();
  if (when === "before") controller.abort();
  const waiting = systemClock.wait(1_000, controller.signal);
  controller.abort();
  await waiting;
  expect(vi.getTimerCount()).toBe(0);
});
