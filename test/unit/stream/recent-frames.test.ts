import { expect, test } from "vitest";
import { RecentFrames, type FrameRange } from "../../../durable-objects/stream-fanout/recent-frames.ts";
import { seeded } from "../../support/stream/simulated-stream.ts";
import { sized } from "../../support/sized.ts";

/** All frames after one number up to another, each with as many characters. */
const range = (after: number, to: number, characters = 1): FrameRange => ({
  after,
  to,
  frames: Array.from({ length: to - after }, (_, n) => ({
    seq: after + 1 + n,
    text: "x".repeat(characters),
    facets: null,
  })),
});

const pageOf = (recent: RecentFrames, cursor: number | null, nowMs = 0) => {
  const page = recent.pageAfter(cursor, nowMs);
  return page === null ? null : [page.after, page.to, page.frames.map(({ seq }) => seq), page.isHead];
};

test("a shard without a push answers no page", () => {
  const recent = new RecentFrames();
  expect([pageOf(recent, null), pageOf(recent, 7)]).toEqual([null, null]);
});

test("a cursor within the window gets the frames after it, and none gets none", () => {
  const recent = new RecentFrames();
  recent.add(range(10, 12), 0);
  recent.add(range(12, 14), 0);
  expect(pageOf(recent, 11)).toEqual([11, 14, [12, 13, 14], true]);
  expect(pageOf(recent, 10)).toEqual([10, 14, [11, 12, 13, 14], true]);
  expect(pageOf(recent, 14)).toEqual([14, 14, [], true]);
  expect(pageOf(recent, null)).toEqual([14, 14, [], true]);
});

test.each([9, 15])("a cursor %s outside of the window is left to the stream", (cursor) => {
  const recent = new RecentFrames();
  recent.add(range(10, 14), 0);
  expect(pageOf(recent, cursor)).toBeNull();
});

test("a gap between two pushes starts another window", () => {
  const recent = new RecentFrames();
  recent.add(range(10, 12), 0);
  recent.add(range(20, 21), 0);
  expect([pageOf(recent, 12), pageOf(recent, 20)]).toEqual([null, [20, 21, [21], true]]);
});

test("an older page extends the window backwards", () => {
  const recent = new RecentFrames();
  recent.add(range(20, 22), 0);
  recent.add(range(15, 21), 0);
  expect(pageOf(recent, 18)).toEqual([18, 22, [19, 20, 21, 22], true]);
});

test("the window is not current after 30 seconds without a push, and a delayed push does not renew it", () => {
  const recent = new RecentFrames();
  recent.add(range(10, 14), 0);
  recent.add(range(10, 12), 20_000);
  expect(pageOf(recent, 12, 29_999)).not.toBeNull();
  expect(pageOf(recent, 12, 30_000)).toBeNull();
  recent.add(range(14, 14), 31_000);
  expect(pageOf(recent, 12, 31_000)).toEqual([12, 14, [13, 14], true]);
});

test("the oldest frames leave a window of 1,000 frames or of 1,048,576 characters", () => {
  const many = new RecentFrames();
  many.add(range(0, 1_005), 0);
  expect([pageOf(many, 4), many.pageAfter(5, 0)?.frames.length]).toEqual([null, 1_000]);
  const long = new RecentFrames();
  long.add(range(0, 5, 340_000), 0);
  expect([pageOf(long, 1), long.pageAfter(2, 0)?.to]).toEqual([null, 3]);
});

test("a page has one frame at least and 262,144 characters otherwise", () => {
  const recent = new RecentFrames();
  recent.add(range(0, 4, 100_000), 0);
  expect(pageOf(recent, 0)).toEqual([0, 2, [1, 2], false]);
  recent.add(range(4, 6, 300_000), 0);
  expect(pageOf(recent, 4)).toEqual([4, 5, [5], false]);
});

test("no random order of pushes and pages makes a page that lacks or repeats a frame", () => {
  const below = seeded(20_261_127);
  let answered = 0;
  for (let run = 0; run < sized({ short: 300, full: 3_000 }); run++) {
    const recent = new RecentFrames({ frames: 1 + below(12), characters: 1_000, pageCharacters: 1 + below(200) });
    for (let step = 0; step < 60; step++) {
      const after = below(60);
      recent.add(range(after, after + below(15), 1 + below(30)), 0);
      if (below(20) === 0) recent.clear();
      const cursor = below(75);
      const page = recent.pageAfter(cursor, 0);
      if (page === null) continue;
      answered++;
      const expected = Array.from({ length: page.to - cursor }, (_, n) => cursor + 1 + n);
      expect([page.after, page.frames.map(({ seq }) => seq)]).toEqual([cursor, expected]);
    }
  }
  expect(answered).toBeGreaterThan(1_000);
});
