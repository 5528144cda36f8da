/// <reference types="@cloudflare/vitest-plugin/types" />
import { evictDurableObject } from "cloudflare:test";
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import type { Heard } from "../../support/stream/listen.ts";
import { announce, countOpen, readOn, shardOfAccount, theShard, theStream } from "../../support/stream/open-stream.ts";
import { seeded } from "../../support/stream/simulated-stream.ts";
import { aKnownKey, counted, openStreamApi, type StreamApi } from "../../support/stream/stream-api.ts";

let api: StreamApi;

beforeAll(async () => {
  // Alarms fire by themselves, and then find the database of no test.
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  api = await openStreamApi();
});

const upTo = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + 1 + at);

describe("a window of 1,000 frames", () => {
  let first: number;
  let key: string;
  let live: readonly Heard[];

  beforeAll(async () => {
    const one = await aKnownKey(api.database);
    key = one.key;
    const heard = await api.listen(key);
    await announce(api.database, counted(1, 1_000));
    await readOn(api.database);
    await heard.until(({ seqs }) => seqs.length === 1_000);
    first = heard.seqs[0] ?? 0;
    live = heard.frames;
    await heard.stop();
  });

  test("is heard live with numbers that follow each other, in the order of the events", () => {
    expect(live.map(({ data }) => data.seq)).toEqual(upTo(first - 1, first + 999));
    expect(live.map(({ id }) => Number(id))).toEqual(upTo(first - 1, first + 999));
    expect(live.map(({ data }) => data.count)).toEqual(upTo(0, 1_000));
  });

  test("is resumed from every position of it with what comes after, once, and in order", async () => {
    for (let behind = 0; behind <= 1_000; behind++) {
      const from = first + 999 - behind;
      const heard = await api.listen(key, "", from);
      await heard.until(({ seqs }) => seqs.length >= behind);
      expect(heard.frames.map(({ id }) => Number(id))).toEqual(upTo(from, first + 999));
      await heard.stop();
    }
  }, 120_000);

  test.each(["last_event_id", "seq"])("is resumed by %s as well, and the header goes before it", async (name) => {
    const heard = await api.listen(key, `?${name}=${first + 989}`);
    await heard.until(({ seqs }) => seqs.length === 10);
    await heard.stop();
    const preferred = await api.listen(key, `?${name}=${first}`, first + 994);
    await preferred.until(({ seqs }) => seqs.length === 5);
    expect(preferred.seqs).toEqual(upTo(first + 994, first + 999));
    await preferred.stop();
  });

  test.each(["abc", "-1", "1.5", "", "0x10"])("is not replayed to last_event_id=%s, which is no whole number", async (text) => {
    const heard = await api.listen(key, `?last_event_id=${text}`);
    await announce(api.database, counted(2_000, 1));
    await readOn(api.database);
    await heard.until(({ frames }) => frames.length > 0);
    expect(heard.frames.map(({ data }) => data.count)).toEqual([2_000]);
    await heard.stop();
  });

  test("answers a cursor from before it with a truncated marker, and then all of it", async () => {
    const heard = await api.listen(key, "", 5);
    await heard.until(({ seqs }) => seqs.length >= 1_000);
    expect(heard.frames[0]).toEqual({
      id: String(first - 1),
      event: "resync",
      data: { type: "resync", completeness: { status: "truncated", reason: "cursor_expired" }, from_sequence: 5, to_sequence: first },
    });
    expect(heard.seqs.slice(0, 1_000)).toEqual(upTo(first - 1, first + 999));
    await heard.stop();
  });

  test("answers a cursor of the future with a reset marker, from whose id a reconnect misses nothing", async () => {
    const future = first + 1_000_000;
    const heard = await api.listen(key, "", future);
    await heard.until(({ frames }) => frames.length === 1);
    const [marker] = heard.frames;
    expect(marker).toMatchObject({
      event: "resync",
      data: { completeness: { status: "reset" }, from_sequence: future, to_sequence: Number(marker?.id) + 1 },
    });
    await heard.stop();
    await announce(api.database, counted(3_000, 2));
    await readOn(api.database);
    const again = await api.listen(key, "", Number(marker?.id));
    await again.until(({ seqs }) => seqs.length === 2);
    expect(again.seqs).toEqual([Number(marker?.id) + 1, Number(marker?.id) + 2]);
    await again.stop();
  });
});

const PUBLISHES = inject("streamPublishes");

/** On a slow machine it may have left memory by itself. */
function ignoreIfGone(error: unknown): void {
  if (!String(error).includes("not currently running")) throw error;
}

test(
  `objects evicted at random among ${PUBLISHES} publishes use no number twice and leave none out, and listeners hear each frame once`,
  async () => {
    const random = seeded(20_261);
    const { key, accountId } = await aKnownKey(api.database);
    const heard = await api.listen(key);
    let announced = 0;
    let evictions = 0;
    while (announced < PUBLISHES) {
      // Many small transactions, and a few that fill more than a page.
      const size = Math.min(PUBLISHES - announced, random(50) === 0 ? 600 : 1 + random(Math.ceil(PUBLISHES / 500)));
      await announce(api.database, counted(10_000 + announced, size));
      announced += size;
      await readOn(api.database);
      // What was published is on its way to the shard, or on from there, or has come.
      if (random(2) === 0) {
        await evictDurableObject(theStream()).catch(ignoreIfGone);
        evictions++;
      }
      if (random(3) === 0) await evictDurableObject(theShard(await shardOfAccount(accountId))).catch(ignoreIfGone);
    }
    await readOn(api.database);
    await heard.until(({ seqs }) => seqs.length >= announced, 60_000);
    const [first = 0] = heard.seqs;
    expect(heard.seqs).toEqual(upTo(first - 1, first - 1 + announced));
    expect(heard.frames.map(({ data }) => data.count)).toEqual(upTo(9_999, 9_999 + announced));
    expect(evictions).toBeGreaterThan(50);
    await heard.stop();
  },
  120_000 + PUBLISHES * 10,
);

test("a shard that dies takes its links with it, and listeners go on where they were", async () => {
  const { key, accountId } = await aKnownKey(api.database);
  const heard = await api.listen(key);
  await announce(api.database, counted(50_000, 2));
  await readOn(api.database);
  await heard.until(({ seqs }) => seqs.length === 2);
  await evictDurableObject(theShard(await shardOfAccount(accountId)), { webSockets: "close" });
  await announce(api.database, counted(50_002, 2));
  await readOn(api.database);
  await heard.until(({ seqs }) => seqs.length === 4);
  expect(heard.frames.map(({ data }) => data.count)).toEqual([50_000, 50_001, 50_002, 50_003]);
  expect(await countOpen(accountId)).toBe(1);
  await heard.stop();
});
