import { describe, expect, test, vi } from "vitest";
import type { SerializedResponse } from "../../../../src/api/cache/serialized-response.ts";
import { ResponseCache } from "../../../../src/api/cache/response-cache.ts";
import { singleFlight } from "../../../../src/api/cache/single-flight.ts";

const NOW = 1_790_000_000_000;
const SLOT = { key: "answer:x", cacheTags: [], ttlSeconds: 5, staleWhileRevalidate: false };

interface RequestOptions {
  readonly generation?: string | null;
  readonly now?: number;
  readonly run: () => Promise<string>;
}

/** Requests of one isolate. Each wait takes one iteration of the event loop; `waits` counts them. */
function anIsolate() {
  const answers = new ResponseCache(1_000);
  const isolate = {
    waits: 0,
    async ask({ generation = "[]", now = NOW, run }: RequestOptions) {
      const make = async (): Promise<SerializedResponse> => {
        const answer = { head: await run(), meta: "", etag: "", storedAtMs: now };
        answers.set(SLOT.key, { response: answer, tagVersions: generation }, SLOT);
        return answer;
      };
      const wait = async () => {
        isolate.waits += 1;
        await new Promise((resolve) => setImmediate(resolve));
      };
      const { answer, waitedMs } = await singleFlight({
        responseCache: answers,
        slot: SLOT,
        tagVersions: generation,
        now,
        wait,
        compute: make,
      });
      return { head: answer.head, waitedMs };
    },
  };
  return isolate;
}

const neverSettles = () => new Promise<string>(() => undefined);
const mustNotRun = async () => {
  throw new Error("ran");
};

/** Work that ends when the test ends it. */
function work(): { readonly run: () => Promise<string>; readonly end: (head: string) => void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { run: () => promise, end: resolve };
}

describe("concurrent requests for one response", () => {
  test("concurrent requests get the response of the first and know how long they waited", async () => {
    const isolate = anIsolate();
    const { run, end } = work();
    const first = isolate.ask({ run });
    const others = Array.from({ length: 49 }, () => isolate.ask({ run: mustNotRun }));
    end("made");
    expect(await first).toEqual({ head: "made", waitedMs: null });
    for (const other of await Promise.all(others)) {
      expect(other.head).toBe("made");
      expect(other.waitedMs).toBeGreaterThan(0);
    }
  });

  test("concurrent requests do not share an error: each of the others runs the handler at once", async () => {
    const isolate = anIsolate();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    let running = 0;
    const fail = async (index: number) => {
      running += 1;
      if (index > 0) await gate;
      throw new Error(`mine: ${index}`);
    };
    const responses = [0, 1, 2, 3].map((index) =>
      isolate.ask({ run: () => fail(index) }).catch((error: Error) => error.message),
    );
    expect(await responses[0]).toBe("mine: 0");
    await vi.waitFor(() => expect(running).toBe(4));
    expect(isolate.waits).toBeLessThan(10);
    open();
    expect(await Promise.all(responses)).toEqual([0, 1, 2, 3].map((index) => `mine: ${index}`));
  });

  test("a waiting request serves the second request's response when the first has failed", async () => {
    const isolate = anIsolate();
    const first = isolate.ask({ run: () => Promise.reject(new Error("mine")) });
    const second = isolate.ask({ run: async () => "made" });
    await expect(first).rejects.toThrow("mine");
    expect(await second).toEqual({ head: "made", waitedMs: null });
  });

  test("a waiting request takes over alone after a second when the first request is gone", async () => {
    const isolate = anIsolate();
    void isolate.ask({ run: neverSettles });
    const runs: number[] = [];
    const responses = [1, 2, 3].map((index) =>
      isolate.ask({
        run: async () => {
          runs.push(index);
          return `by ${index}`;
        },
      }),
    );
    expect(new Set((await Promise.all(responses)).map(({ head }) => head))).toEqual(new Set(["by 1"]));
    expect(runs).toEqual([1]);
    // One second for each of the three: waits of 5, 10, 20 and then 40 ms, plus one until the response was
    // there.
    expect(isolate.waits).toBeLessThan(100);
  });

  test("a request stops waiting after three seconds of abandoned requests and runs the handler itself", async () => {
    const isolate = anIsolate();
    for (const offsetMs of [0, 1_000, 2_000]) void isolate.ask({ run: neverSettles, now: NOW + offsetMs });
    const responses = isolate.ask({ run: async () => "own", now: NOW + 2_001 });
    expect(await responses).toEqual({ head: "own", waitedMs: null });
  });

  test("a request only waits for responses of its own cache version", async () => {
    const isolate = anIsolate();
    const { run, end } = work();
    const before = isolate.ask({ generation: '["1"]', run });
    const after = isolate.ask({ generation: '["2"]', run: async () => "new" });
    expect(await after).toEqual({ head: "new", waitedMs: null });
    end("old");
    expect((await before).head).toBe("old");
  });
});

test("a request just after another one gets its response while it is fresh and of the same cache version", async () => {
  const isolate = anIsolate();
  expect(await isolate.ask({ run: async () => "one" })).toEqual({ head: "one", waitedMs: null });
  expect(await isolate.ask({ run: mustNotRun, now: NOW + 4_999 })).toEqual({ head: "one", waitedMs: 0 });
  expect(await isolate.ask({ run: async () => "two", now: NOW + 5_000 })).toEqual({ head: "two", waitedMs: null });
  expect(await isolate.ask({ generation: '["2"]', run: async () => "three", now: NOW + 5_000 })).toEqual({
    head: "three",
    waitedMs: null,
  });
  expect(isolate.waits).toBe(0);
});
