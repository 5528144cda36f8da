/// <reference types="@cloudflare/vitest-plugin/types" />
import { evictDurableObject } from "cloudflare:test";
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import type { ParsedFrame } from "../../support/stream/stream-reader.ts";
import {
  publishStreamEvents,
  countOpen,
  runShardAlarm,
  runStreamAlarm,
  shardOfAccount,
  theShard,
  theStream,
} from "../../support/stream/open-stream.ts";
import { seeded } from "../../support/stream/simulated-stream.ts";
import { aKnownKey, countedEvents, openStreamApi, type StreamApi } from "../../support/stream/stream-api.ts";

let api: StreamApi;

beforeAll(async () => {
  // Alarms also fire by themselves, outside any test, and then find no database.
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  api = await openStreamApi();
});

const upTo = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + 1 + at);

describe("window of 1,000 frames", () => {
  let first: number;
  let key: string;
  let live: readonly ParsedFrame[];

  beforeAll(async () => {
    const one = await aKnownKey(api.database);
    key = one.key;
    const stream = await api.openStream(key);
    await publishStreamEvents(api.database, countedEvents(1, 1_000));
    await runStreamAlarm(api.database);
    await stream.until(({ seqs }) => seqs.length === 1_000);
    first = stream.seqs[0] ?? 0;
    live = stream.frames;
    await stream.stop();
  });

  test("live frames have consecutive numbers in the order of the events", () => {
    expect(live.map(({ data }) => data.seq)).toEqual(upTo(first - 1, first + 999));
    expect(live.map(({ id }) => Number(id))).toEqual(upTo(first - 1, first + 999));
    expect(live.map(({ data }) => data.count)).toEqual(upTo(0, 1_000));
  });

  test("a resume from any position returns the later frames once and in order", async () => {
    for (let remaining = 0; remaining <= 1_000; remaining++) {
      const from = first + 999 - remaining;
      const stream = await api.openStream(key, "", from);
      await stream.until(({ seqs }) => seqs.length >= remaining);
      expect(stream.frames.map(({ id }) => Number(id))).toEqual(upTo(from, first + 999));
      await stream.stop();
    }
  });

  test.each(["last_event_id", "seq"])(
    "a resume by %s works, and the Last-Event-ID header takes precedence",
    async (name) => {
      const stream = await api.openStream(key, `?${name}=${first + 989}`);
      await stream.until(({ seqs }) => seqs.length === 10);
      await stream.stop();
      const preferred = await api.openStream(key, `?${name}=${first}`, first + 994);
      await preferred.until(({ seqs }) => seqs.length === 5);
      expect(preferred.seqs).toEqual(upTo(first + 994, first + 999));
      await preferred.stop();
    },
  );

  test.each(["abc", "-1", "1.5", "", "0x10"])("the invalid last_event_id=%s replays nothing", async (text) => {
    const stream = await api.openStream(key, `?last_event_id=${text}`);
    await publishStreamEvents(api.database, countedEvents(2_000, 1));
    await runStreamAlarm(api.database);
    await stream.until(({ frames }) => frames.length > 0);
    expect(stream.frames.map(({ data }) => data.count)).toEqual([2_000]);
    await stream.stop();
  });

  test("a cursor before the window gets a truncated marker and then the whole window", async () => {
    const stream = await api.openStream(key, "", 5);
    await stream.until(({ seqs }) => seqs.length >= 1_000);
    expect(stream.frames[0]).toEqual({
      id: String(first - 1),
      event: "resync",
      data: {
        type: "resync",
        completeness: { status: "truncated", reason: "cursor_expired" },
        from_sequence: 5,
        to_sequence: first,
      },
    });
    expect(stream.seqs.slice(0, 1_000)).toEqual(upTo(first - 1, first + 999));
    await stream.stop();
  });

  test("a cursor in the future gets a reset marker, and a reconnect with its id misses no event", async () => {
    const future = first + 1_000_000;
    const stream = await api.openStream(key, "", future);
    await stream.until(({ frames }) => frames.length === 1);
    const [marker] = stream.frames;
    expect(marker).toMatchObject({
      event: "resync",
      data: { completeness: { status: "reset" }, from_sequence: future, to_sequence: Number(marker?.id) + 1 },
    });
    await stream.stop();
    await publishStreamEvents(api.database, countedEvents(3_000, 2));
    await runStreamAlarm(api.database);
    const again = await api.openStream(key, "", Number(marker?.id));
    await again.until(({ seqs }) => seqs.length === 2);
    expect(again.seqs).toEqual([Number(marker?.id) + 1, Number(marker?.id) + 2]);
    await again.stop();
  });
});

const PUBLISHES = inject("streamPublishes");

/** On a slow machine the object may already have left memory. */
function ignoreIfGone(error: unknown): void {
  if (!String(error).includes("not currently running")) throw error;
}

test(
  `random evictions during ${PUBLISHES} publishes repeat and skip no number, and listeners get each frame once`,
  async () => {
    const random = seeded(inject("seed"));
    const { key, accountId } = await aKnownKey(api.database);
    const stream = await api.openStream(key);
    let announced = 0;
    let evictions = 0;
    while (announced < PUBLISHES) {
      // Many small transactions, and some that fill more than a page.
      const size = Math.min(PUBLISHES - announced, random(50) === 0 ? 600 : 1 + random(Math.ceil(PUBLISHES / 500)));
      await publishStreamEvents(api.database, countedEvents(10_000 + announced, size));
      announced += size;
      await runStreamAlarm(api.database);
      await runShardAlarm(api.database, accountId);
      // At this time published frames are before, in or behind the shard.
      if (random(2) === 0) {
        await evictDurableObject(theStream()).catch(ignoreIfGone);
        evictions++;
      }
      if (random(3) === 0) await evictDurableObject(theShard(await shardOfAccount(accountId))).catch(ignoreIfGone);
    }
    await runStreamAlarm(api.database);
    await stream.until(({ seqs }) => seqs.length >= announced, 60_000);
    const [first = 0] = stream.seqs;
    expect(stream.seqs).toEqual(upTo(first - 1, first - 1 + announced));
    expect(stream.frames.map(({ data }) => data.count)).toEqual(upTo(9_999, 9_999 + announced));
    expect(evictions).toBeGreaterThan(50);
    await stream.stop();
  },
  120_000 + PUBLISHES * 10,
);

test("a shard that dies closes its links, and listeners continue where they were", async () => {
  // The first attempt to join again comes at once.
  vi.spyOn(Math, "random").mockReturnValue(0);
  const { key, accountId } = await aKnownKey(api.database);
  const stream = await api.openStream(key);
  await publishStreamEvents(api.database, countedEvents(50_000, 2));
  await runStreamAlarm(api.database);
  await stream.until(({ seqs }) => seqs.length === 2);
  await evictDurableObject(theShard(await shardOfAccount(accountId)), { webSockets: "close" });
  await publishStreamEvents(api.database, countedEvents(50_002, 2));
  await runStreamAlarm(api.database);
  await stream.until(({ seqs }) => seqs.length === 4);
  expect(stream.frames.map(({ data }) => data.count)).toEqual([50_000, 50_001, 50_002, 50_003]);
  expect(await countOpen(accountId)).toBe(1);
  await stream.stop();
  vi.mocked(Math.random).mockRestore();
});
