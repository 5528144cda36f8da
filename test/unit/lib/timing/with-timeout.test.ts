import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { afterOf, withTimeout } from "../../../../src/lib/timing/with-timeout.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new Promise<never>(() => undefined);

test("work that ends in time gives its result and leaves no timer", async () => {
  expect(await withTimeout(Promise.resolve(7), 1_000)).toBe(7);
  expect(vi.getTimerCount()).toBe(0);
});

test("work that fails in time gives its error and leaves no timer", async () => {
  await expect(withTimeout(Promise.reject(new Error("broken")), 1_000)).rejects.toThrow("broken");
  expect(vi.getTimerCount()).toBe(0);
});

test("work that takes longer is rejected at the timeout, and not before", async () => {
  let failure: unknown = null;
  const late = withTimeout(never, 1_000).catch((error: unknown) => (failure = error));
  await vi.advanceTimersByTimeAsync(999);
  expect([failure, vi.getTimerCount()]).toEqual([null, 1]);
  await vi.advanceTimersByTimeAsync(1);
  await late;
  expect(failure).toEqual(new Error("no response within 1000 ms"));
  expect(vi.getTimerCount()).toBe(0);
});

test("a caller chooses the error of a timeout", async () => {
  const late = withTimeout(never, 5, () => new RangeError("too late")).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(5);
  expect(await late).toBeInstanceOf(RangeError);
});

test("work that fails after its timeout causes no unhandled rejection", async () => {
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  const work = new Promise<never>((_, reject) => void setTimeout(() => reject(new Error("too late")), 10));
  const late = withTimeout(work, 5).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(10);
  expect(await late).toEqual(new Error("no response within 5 ms"));
  vi.useRealTimers();
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

test("a timeout of another clock passes by that clock, which is freed when the work ends", async () => {
  const waits: AbortSignal[] = [];
  const clock = { wait: async (_ms: number, signal?: AbortSignal) => void (signal && waits.push(signal)) };
  await expect(withTimeout(never, 1_000, undefined, afterOf(clock))).rejects.toThrow("no response within 1000 ms");
  expect([waits.map(({ aborted }) => aborted), vi.getTimerCount()]).toEqual([[true], 0]);
});

test("no error is created for work that ends in time", async () => {
  const createError = vi.fn(() => new Error("late"));
  expect(await withTimeout(Promise.resolve(1), 5, createError)).toBe(1);
  await vi.advanceTimersByTimeAsync(10);
  expect(createError).not.toHaveBeenCalled();
});
