/// <reference types="@cloudflare/vitest-plugin/types" />
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { FrameStorage } from "../../../durable-objects/event-stream/frame-storage.ts";
import { startOfEpoch } from "../../../src/db/outbox.ts";
import type { FrameFacets } from "../../../src/domain/stream/frame-filter.ts";
import type { StreamFrame } from "../../../src/domain/stream/frame.ts";
import type { Env } from "../../../src/env.ts";

const bindings = env as Env;

const DAY_MS = 86_400_000;
const NOW = Date.parse("2026-11-20T12:00:00.000Z");
const FACETS: FrameFacets = { type: "A", conditionId: "0xa", grade: "B", wallet: "0x1", sizeMicro: "5000000", owner: 7 };

const sequenceAt = (lastSeq: number, publishedMs = NOW) => ({ lastSeq, publishedMs, place: startOfEpoch(1) });
const frames = (from: number, to: number, text = "x"): StreamFrame[] =>
  Array.from({ length: to - from + 1 }, (_, at) => ({ seq: from + at, text, facets: null }));

let objects = 0;

/** Runs it with the storage of an object that is used for nothing else, and what opens it anew. */
function withStorage(run: (storage: FrameStorage, reopen: () => FrameStorage) => void): Promise<void> {
  const object = bindings.EVENT_STREAM.get(bindings.EVENT_STREAM.idFromName(`storage ${++objects}`));
  return runInDurableObject(object, (_instance, { storage }) => run(new FrameStorage(storage), () => new FrameStorage(storage)));
}

test("frames, their sequence and the shards are there after the object has slept", () =>
  withStorage((storage, reopen) => {
    expect([storage.findSequence(), storage.findRetained()]).toEqual([null, null]);
    storage.begin(sequenceAt(100));
    const frame = { seq: 101, text: "id: 101\n\n", facets: FACETS };
    const sequence = { lastSeq: 101, publishedMs: NOW + 1, place: { epoch: 1, commitXid: "18446744073709551615", id: "9" } };
    storage.commit({ frames: [frame], sequence });
    storage.addShard("3");
    storage.addShard("3");
    const again = reopen();
    expect([again.findSequence(), again.findRetained(), again.listAfter(0, 10, 100), again.listShards()]).toEqual([
      sequence,
      { first: 101, last: 101 },
      [frame],
      ["3"],
    ]);
    again.dropShard("3");
    expect(reopen().listShards()).toEqual([]);
  }));

test("a publication that fails leaves nothing of itself", () =>
  withStorage((storage, reopen) => {
    storage.begin(sequenceAt(0));
    storage.commit({ frames: frames(1, 2), sequence: sequenceAt(2) });
    expect(() => storage.commit({ frames: [...frames(3, 3), ...frames(2, 2)], sequence: sequenceAt(4) })).toThrow("UNIQUE");
    for (const kept of [storage, reopen()])
      expect([kept.findSequence(), kept.findRetained()]).toEqual([sequenceAt(2), { first: 1, last: 2 }]);
  }));

test("fifty thousand frames are kept, and the newest of them", () =>
  withStorage((storage) => {
    storage.begin(sequenceAt(0));
    storage.commit({ frames: frames(1, 50_000), sequence: sequenceAt(50_000) });
    expect(storage.findRetained()).toEqual({ first: 1, last: 50_000 });
    storage.commit({ frames: frames(50_001, 50_003), sequence: sequenceAt(50_003) });
    expect(storage.findRetained()).toEqual({ first: 4, last: 50_003 });
  }));

test("a frame is kept for a day, and its number is not given to another one after that", () =>
  withStorage((storage) => {
    storage.begin(sequenceAt(0));
    storage.commit({ frames: frames(1, 2), sequence: sequenceAt(2) });
    storage.commit({ frames: frames(3, 3), sequence: sequenceAt(3, NOW + 1) });
    storage.dropOld(NOW + DAY_MS - 1);
    expect(storage.findRetained()).toEqual({ first: 1, last: 3 });
    storage.dropOld(NOW + DAY_MS);
    expect(storage.findRetained()).toEqual({ first: 3, last: 3 });
    storage.dropOld(NOW + DAY_MS + 1);
    expect([storage.findRetained(), storage.findSequence()?.lastSeq]).toEqual([{ first: 4, last: 3 }, 3]);
  }));

test("a page ends before it becomes too long, and has a frame in any case", () =>
  withStorage((storage) => {
    storage.begin(sequenceAt(0));
    storage.commit({ frames: [...frames(1, 3, "1234"), ...frames(4, 4, "123456789012")], sequence: sequenceAt(4) });
    const seqs = (after: number, limit: number, characters: number) => storage.listAfter(after, limit, characters).map(({ seq }) => seq);
    expect(seqs(0, 2, 100)).toEqual([1, 2]);
    expect(seqs(0, 10, 8)).toEqual([1, 2]);
    expect(seqs(0, 10, 11)).toEqual([1, 2]);
    expect(seqs(3, 10, 8)).toEqual([4]);
    expect(seqs(4, 10, 8)).toEqual([]);
  }));
