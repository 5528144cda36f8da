import { expect, test } from "vitest";
import { TagVersions } from "../../../../src/api/cache/tag-versions.ts";
import { cacheVersionKey } from "../../../../src/domain/cache-tags.ts";

const AT = Date.parse("2026-11-20T12:00:00Z");
const TAGS = ["record", "flows"] as const;

/** A view over versions that the test sets, with the reads that it made. */
function aView() {
  const stored = new Map([[cacheVersionKey("record"), "1"]]);
  const reads: PromiseWithResolvers<void>[] = [];
  let [isAway, isSlow] = [false, false];
  const versions = new TagVersions({
    async getMany(keys) {
      const read = Promise.withResolvers<void>();
      reads.push(read);
      const values = keys.map((key) => stored.get(key) ?? null);
      if (isSlow) await read.promise;
      if (isAway) throw new Error("away");
      return values;
    },
  });
  const background: Promise<unknown>[] = [];
  return {
    reads,
    publish: (version: string) => void stored.set(cacheVersionKey("record"), version),
    set: (state: { away?: boolean; slow?: boolean }) =>
      void ([isAway, isSlow] = [state.away ?? false, state.slow ?? false]),
    at: (ms: number) => versions.read(TAGS, AT + ms, (work) => void background.push(work)),
    settle: () => Promise.all(background),
  };
}

test("the first request waits for the versions; an unpublished one is null", async () => {
  const view = aView();
  expect(await view.at(0)).toBe('["1",null]');
  expect(view.reads).toHaveLength(1);
});

test("within a second no request reads, and within five none waits", async () => {
  const view = aView();
  await view.at(0);
  view.publish("2");
  expect(await view.at(999)).toBe('["1",null]');
  expect(view.reads).toHaveLength(1);
  view.set({ slow: true });
  expect(await view.at(1_000)).toBe('["1",null]');
  expect(await view.at(2_999)).toBe('["1",null]');
  expect(view.reads).toHaveLength(2);
  view.reads[1]?.resolve();
  await view.settle();
  expect(await view.at(3_000)).toBe('["2",null]');
});

test("a background read that never ends is made again after two seconds", async () => {
  const view = aView();
  await view.at(0);
  view.set({ slow: true });
  await view.at(1_000);
  await view.at(3_000);
  expect(view.reads).toHaveLength(3);
});

test("a request waits for versions that are five seconds old", async () => {
  const view = aView();
  await view.at(0);
  view.publish("2");
  expect(await view.at(5_000)).toBe('["2",null]');
});

test("while Redis is away the versions stand for five seconds and are unknown then, until it is back", async () => {
  const view = aView();
  await view.at(0);
  view.set({ away: true });
  expect(await view.at(4_999)).toBe('["1",null]');
  await view.settle();
  expect(await view.at(5_000)).toBeNull();
  view.set({});
  expect(await view.at(5_001)).toBe('["1",null]');
});

test("a slow read does not replace a later one", async () => {
  const view = aView();
  await view.at(0);
  view.set({ slow: true });
  await view.at(1_000);
  view.set({});
  view.publish("2");
  await view.at(5_500);
  view.reads[1]?.resolve();
  await view.settle();
  expect(await view.at(5_600)).toBe('["2",null]');
});

test("no tags need no read", async () => {
  const versions = new TagVersions({ getMany: () => Promise.reject(new Error("asked")) });
  expect(await versions.read([], AT, () => undefined)).toBe("[]");
});
