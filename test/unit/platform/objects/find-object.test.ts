import { expect, test } from "vitest";
import { findObject } from "../../../../src/platform/objects/find-object.ts";
import { keepLaneAlive } from "../../../../src/platform/objects/lanes.ts";

/** A namespace whose objects state how they were found. */
const namespace = {
  idFromName: (name: string) => `id of ${name}` as unknown as DurableObjectId,
  get: (id: unknown, options: unknown) => ({ id, options }),
};

test("an object is found by its name, with the location hint of the region", () => {
  const hint = { locationHint: "weur" };
  expect(findObject(namespace, "dispatcher", { REGION: "aws:eu-west-2" })).toEqual({
    id: "id of dispatcher",
    options: hint,
  });
  expect(findObject(namespace, "dispatcher", {}).options).toEqual({});
});

test("the feed and the lanes are created in the region", async () => {
  const found: unknown[] = [];
  const objects = {
    ...namespace,
    get: (id: unknown, options: unknown) => ({ keepAlive: async () => void found.push([id, options]) }),
  };
  const env = { FEED_READER: objects, JOB_RUNNER: objects, REGION: "aws:us-west-2" } as never;
  await keepLaneAlive(env, "feed");
  await keepLaneAlive(env, "lists");
  const options = { locationHint: "wnam" };
  expect(found).toEqual([
    ["id of polymarket", options],
    ["id of lists", options],
  ]);
});
