import { describe, expect, test, vi } from "vitest";
import type { Answer } from "../../../src/api/answer.ts";
import { AnswerMemory } from "../../../src/api/answer-memory.ts";
import { answerOnce } from "../../../src/api/answer-once.ts";

const NOW = 1_790_000_000_000;
const PLACE = { key: "answer:x", restsOn: [], seconds: 5, whileRefreshed: false };

interface Asked {
  readonly generation?: string | null;
  readonly now?: number;
  readonly run: () => Promise<string>;
}

/** Requests of one isolate whose waits take as long as a turn of the event loop; `waits` counts them. */
function anIsolate() {
  const answers = new AnswerMemory(1_000);
  const isolate = {
    waits: 0,
    async ask({ generation = "[]", now = NOW, run }: Asked) {
      const make = async (): Promise<Answer> => {
        const answer = { head: await run(), meta: "", etag: "", storedAtMs: now };
        answers.keep(PLACE.key, { answer, generation }, PLACE);
        return answer;
      };
      const wait = async () => {
        isolate.waits += 1;
        await new Promise((resolve) => setImmediate(resolve));
      };
      const { answer, waitedMs } = await answerOnce({ answers, place: PLACE, generation, now, wait, make });
      return { head: answer.head, waitedMs };
    },
  };
  return isolate;
}

const never = () => new Promise<string>(() => undefined);
const mustNotRun = async () => {
  throw new Error("ran");
};

/** Work that ends when it is told to. */
function work(): { readonly run: () => Promise<string>; readonly end: (head: string) => void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { run: () => promise, end: resolve };
}

describe("requests that ask for the same at once", () => {
  test("get what the first of them makes, and know how long they waited", async () => {
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

  test("do not share an error: each of the others tries for itself, at once", async () => {
    const isolate = anIsolate();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    let running = 0;
    const fail = async (place: number) => {
      running += 1;
      if (place > 0) await gate;
      throw new Error(`mine: ${place}`);
    };
    const asked = [0, 1, 2, 3].map((place) => isolate.ask({ run: () => fail(place) }).catch((error: Error) => error.message));
    expect(await asked[0]).toBe("mine: 0");
    await vi.waitFor(() => expect(running).toBe(4));
    expect(isolate.waits).toBeLessThan(10);
    open();
    expect(await Promise.all(asked)).toEqual([0, 1, 2, 3].map((place) => `mine: ${place}`));
  });

  test("get the second one's answer when the first has failed", async () => {
    const isolate = anIsolate();
    const first = isolate.ask({ run: () => Promise.reject(new Error("mine")) });
    const second = isolate.ask({ run: async () => "made" });
    await expect(first).rejects.toThrow("mine");
    expect(await second).toEqual({ head: "made", waitedMs: null });
  });

  test("do not wait for ever for one that is gone: after a second the next one takes its place, alone", async () => {
    const isolate = anIsolate();
    void isolate.ask({ run: never });
    const runs: number[] = [];
    const asked = [1, 2, 3].map((place) =>
      isolate.ask({
        run: async () => {
          runs.push(place);
          return `by ${place}`;
        },
      }),
    );
    expect(new Set((await Promise.all(asked)).map(({ head }) => head))).toEqual(new Set(["by 1"]));
    expect(runs).toEqual([1]);
    // A second for each of the three: after 5, 10, 20 and then each time 40 ms, and once more until the answer was there.
    expect(isolate.waits).toBeLessThan(100);
  });

  test("nor for several in a row: after three seconds a request helps itself", async () => {
    const isolate = anIsolate();
    for (const later of [0, 1_000, 2_000]) void isolate.ask({ run: never, now: NOW + later });
    const asked = isolate.ask({ run: async () => "own", now: NOW + 2_001 });
    expect(await asked).toEqual({ head: "own", waitedMs: null });
  });

  test("wait only for answers of their own generation", async () => {
    const isolate = anIsolate();
    const { run, end } = work();
    const before = isolate.ask({ generation: '["1"]', run });
    const after = isolate.ask({ generation: '["2"]', run: async () => "new" });
    expect(await after).toEqual({ head: "new", waitedMs: null });
    end("old");
    expect((await before).head).toBe("old");
  });
});

test("whoever comes when another one has just ended gets its answer, while that is fresh and of the same generation", async () => {
  const isolate = anIsolate();
  expect(await isolate.ask({ run: async () => "one" })).toEqual({ head: "one", waitedMs: null });
  expect(await isolate.ask({ run: mustNotRun, now: NOW + 4_999 })).toEqual({ head: "one", waitedMs: 0 });
  expect(await isolate.ask({ run: async () => "two", now: NOW + 5_000 })).toEqual({ head: "two", waitedMs: null });
  expect(await isolate.ask({ generation: '["2"]', run: async () => "three", now: NOW + 5_000 })).toEqual({ head: "three", waitedMs: null });
  expect(isolate.waits).toBe(0);
});
