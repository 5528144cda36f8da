import { expect, test } from "vitest";
import { memoSettled, onceSettled } from "../../../src/lib/memo-settled.ts";

/** A function whose calls settle when the test says so. */
function pendingCalls() {
  const calls: { key: string; resolve: (value: string) => void; reject: (error: unknown) => void }[] = [];
  const compute = (key: string) => new Promise<string>((resolve, reject) => void calls.push({ key, resolve, reject }));
  return { calls, memo: memoSettled(2, (key: string) => key, compute) };
}

test("a result is computed once, and each key has its own", async () => {
  const { calls, memo } = pendingCalls();
  const [a, b] = [memo("a"), memo("b")];
  calls[0]?.resolve("of a");
  calls[1]?.resolve("of b");
  expect([await a, await b]).toEqual(["of a", "of b"]);
  expect([await memo("a"), await memo("b"), calls.length]).toEqual(["of a", "of b", 2]);
});

test("a call before the first result computes itself and does not wait for the first", async () => {
  const { calls, memo } = pendingCalls();
  void memo("a");
  const second = memo("a");
  calls[1]?.resolve("of the second call");
  expect(await second).toBe("of the second call");
  expect(calls.map(({ key }) => key)).toEqual(["a", "a"]);
});

test("a failure is not kept", async () => {
  const { calls, memo } = pendingCalls();
  const failing = memo("a");
  calls[0]?.reject(new Error("no"));
  await expect(failing).rejects.toThrow("no");
  const next = memo("a");
  calls[1]?.resolve("of a");
  expect(await next).toBe("of a");
});

test("the least recently used result is dropped", async () => {
  const { calls, memo } = pendingCalls();
  for (const key of ["a", "b", "c"]) {
    const result = memo(key);
    calls.at(-1)?.resolve(key);
    await result;
  }
  void memo("c");
  void memo("a");
  expect(calls.map(({ key }) => key)).toEqual(["a", "b", "c", "a"]);
});

test("one computation is kept as a whole", async () => {
  let runs = 0;
  const get = onceSettled(async () => ({ run: ++runs }));
  expect([await get(), await get()]).toEqual([{ run: 1 }, { run: 1 }]);
});
