import { expect, test } from "vitest";
import { Slots } from "../../../src/lib/slots.ts";

test("as many works as there are slots are in progress at once, in the order of their calls, also after one has failed", async () => {
  const slots = new Slots(2);
  const started: number[] = [];
  const works = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
  const results = works.map(({ promise }, index) =>
    slots.run(() => {
      started.push(index);
      return promise;
    }),
  );
  const settled = Promise.allSettled(results);
  const turn = () => new Promise((done) => setTimeout(done, 0));
  await turn();
  expect(started).toEqual([0, 1]);
  works[1]?.reject(new Error("failed"));
  await turn();
  expect(started).toEqual([0, 1, 2]);
  works[2]?.resolve(2);
  works[0]?.resolve(0);
  await turn();
  expect(started).toEqual([0, 1, 2, 3, 4]);
  works[3]?.resolve(3);
  works[4]?.resolve(4);
  expect((await settled).map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
    "fulfilled",
  ]);
  expect(await slots.run(async () => 7)).toBe(7);
});
