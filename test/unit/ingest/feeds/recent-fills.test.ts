import { expect, test } from "vitest";
import { RecentFills } from "../../../../src/ingest/feeds/recent-fills.ts";
import { NEW_FEED } from "../../../../src/ingest/feeds/trade-walk-state.ts";

const state = (stored: number) => ({ ...NEW_FEED, stored });

const remembered = async (feed: "takers" | "all", ...fills: string[]) => {
  const recent = new RecentFills(3);
  await recent.rememberAfterCommit(feed, async () => ({ fills, state: state(fills.length) }));
  return recent;
};

test("a fill of the takers' feed is recorded for both feeds, one of the other feed only for that feed", async () => {
  const takers = await remembered("takers", "a");
  expect([takers.isRecorded("takers", "a"), takers.isRecorded("all", "a")]).toEqual([true, true]);
  const all = await remembered("all", "a");
  expect([all.isRecorded("takers", "a"), all.isRecorded("all", "a")]).toEqual([false, true]);
});

test("the taker role of a fill is remembered when the other feed shows it again", async () => {
  const recent = await remembered("takers", "a");
  await recent.rememberAfterCommit("all", async () => ({ fills: ["a"], state: state(0) }));
  expect(recent.isRecorded("takers", "a")).toBe(true);
});

test("the fills that were not used for the longest time are forgotten first", async () => {
  const recent = await remembered("all", "a", "b", "c", "d");
  expect(["a", "b", "c", "d"].map((fill) => recent.isRecorded("all", fill))).toEqual([false, true, true, true]);
});

test("a failed transaction forgets all fills, and remembers none of its own", async () => {
  const recent = await remembered("all", "a");
  await expect(recent.rememberAfterCommit("all", () => Promise.reject(new Error("connection lost")))).rejects.toThrow(
    "lost",
  );
  expect(recent.isRecorded("all", "a")).toBe(false);
});

test("a checkpoint that this process did not store forgets all fills, and the one that it stored last does not", async () => {
  const recent = await remembered("all", "a");
  recent.observeCheckpoint("all", state(1));
  recent.observeCheckpoint("takers", state(7));
  expect(recent.isRecorded("all", "a")).toBe(true);
  recent.observeCheckpoint("all", state(0));
  expect(recent.isRecorded("all", "a")).toBe(false);
});
