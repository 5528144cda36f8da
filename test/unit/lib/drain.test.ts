import { expect, test } from "vitest";
import { drain } from "../../../src/lib/drain.ts";

const queue = (items: number[]) => () => items.shift() ?? null;

test("every item is worked on once, at most as many at a time as the limit", async () => {
  const done: number[] = [];
  let [active, most] = [0, 0];
  await drain(3, queue([1, 2, 3, 4, 5, 6, 7]), async (item) => {
    active += 1;
    most = Math.max(most, active);
    await Promise.resolve();
    active -= 1;
    done.push(item);
  });
  expect(done.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(most).toBe(3);
});

test("after an error no further item is taken, and the work in progress ends first", async () => {
  const done: number[] = [];
  const work = async (item: number) => {
    if (item === 1) throw new Error("broken");
    await Promise.resolve();
    await Promise.resolve();
    done.push(item);
  };
  await expect(drain(2, queue([1, 2, 3, 4, 5]), work)).rejects.toThrow("broken");
  expect(done).toEqual([2]);
});
