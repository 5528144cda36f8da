/// <reference types="@cloudflare/vitest-plugin/types" />
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { FrameStorage } from "../../../durable-objects/event-stream/frame-storage.ts";
import { startOfEpoch } from "../../../src/events/outbox/outbox-reader.ts";
import type { FrameFacets } from "../../../src/stream/frame-filter.ts";
import type { StreamFrame } from "../../../src/stream/frame.ts";
import type { Env } from "../../../src/env.ts";
import { DAY_MS } from "../../../src/scoring/utc-calendar.ts";

const bindings = env as Env;

const NOW = Date.parse("2026-11-20T12:00:00.000Z");
const FACETS: FrameFacets = {
  type: "A",
  conditionId: "0xa",
  grade: "B",
  wallet: "0x1",
  sizeMicro: "5000000",
  owner: 7,
};

const sequenceAt = (lastSeq: number, publishedMs = NOW) => ({ lastSeq, publishedMs, outboxPosition: startOfEpoch(1) });
const frames = (from: number, to: number, text = "x"): StreamFrame[] =>
  Array.from({ length: to - from + 1 }, (_, at) => ({ seq: from + at, text, facets: null }));

let objects = 0;

/** Runs a function with the storage of a new object. `reopen` opens that storage again. */
function withStorage(run: (storage: FrameStorage, reopen: () => FrameStorage) => void): Promise<void> {
  const object = bindings.EVENT_STREAM.get(bindings.EVENT_STREAM.idFromName(`storage ${++objects}`));
  return runInDurableObject(object, (_instance, { storage }) =>
    run(new FrameStorage(storage), () => new FrameStorage(storage)),
  );
}

test("frames, their sequence and the shards survive a restart of the object", () =>
  withStorage((storage, reopen) => {
    expect([storage.findSequence(), storage.findRetained()]).toEqual([null, null]);
    storage.begin(sequenceAt(100));
    const frame = { seq: 101, text: "id: 101\n\n", facets: FACETS };
    const sequence = {
      lastSeq: 101,
      publishedMs: NOW + 1,
      outboxPosition: { epoch: 1, commitXid: "18446744073709551615", id: "9" },
    };
    storage.commit({ frames: [frame], sequence });
    storage.addShard("3");
    storage.addShard("3");
    const reopened = reopen();
    expect([
      reopened.findSequence(),
      reopened.findRetained(),
      reopened.listAfter(0, 10, 100),
      reopened.listShards(),
    ]).toEqual([sequence, { first: 101, last: 101 }, [frame], ["3"]]);
    reopened.dropShard("3");
    expect(reopen().listShards()).toEqual([]);
  }));

test("a failed publication leaves no frame and no sequence", () =>
  withStorage((storage, reopen) => {
    storage.begin(sequenceAt(0));
    storage.commit({ frames: frames(1, 2), sequence: sequenceAt(2) });
    expect(() => storage.commit({ frames: [...frames(3, 3), ...frames(2, 2)], sequence: sequenceAt(4) })).toThrow(
      "UNIQUE",
    );
    for (const frameStorage of [storage, reopen()])
      expect([frameStorage.findSequence(), frameStorage.findRetained()]).toEqual([
        sequenceAt(2),
        { first: 1, last: 2 },
      ]);
  }));

test("the newest fifty thousand frames are stored", () =>
  withStorage((storage) => {
    storage.begin(sequenceAt(0));
    storage.commit({ frames: frames(1, 50_000), sequence: sequenceAt(50_000) });
    expect(storage.findRetained()).toEqual({ first: 1, last: 50_000 });
    storage.commit({ frames: frames(50_001, 50_003), sequence: sequenceAt(50_003) });
    expect(storage.findRetained()).toEqual({ first: 4, last: 50_003 });
  }));

test("a frame is stored for a day, and its number is never reused", () =>
  withStorage((storage) => {
    storage.begin(sequenceAt(0));
    storage.commit({ frames: frames(1, 2), sequence: sequenceAt(2) });
    storage.commit({ frames: frames(3, 3), sequence: sequenceAt(3, NOW + 1) });
    storage.pruneFrames(NOW + DAY_MS - 1);
    expect(storage.findRetained()).toEqual({ first: 1, last: 3 });
    storage.pruneFrames(NOW + DAY_MS);
    expect(storage.findRetained()).toEqual({ first: 3, last: 3 });
    storage.pruneFrames(NOW + DAY_MS + 1);
    expect([storage.findRetained(), storage.findSequence()?.lastSeq]).toEqual([{ first: 4, last: 3 }, 3]);
  }));

test("a page ends before its size limit but has at least one frame", () =>
  withStorage((storage) => {
    storage.begin(sequenceAt(0));
    storage.commit({ frames: [...frames(1, 3, "1234"), ...frames(4, 4, "123456789012")], sequence: sequenceAt(4) });
    const seqs = (after: number, limit: number, characters: number) =>
      storage.listAfter(after, limit, characters).map(({ seq }) => seq);
    expect(seqs(0, 2, 100)).toEqual([1, 2]);
    expect(seqs(0, 10, 8)).toEqual([1, 2]);
    expect(seqs(0, 10, 11)).toEqual([1, 2]);
    expect(seqs(3, 10, 8)).toEqual([4]);
    expect(seqs(4, 10, 8)).toEqual([]);
  }));
