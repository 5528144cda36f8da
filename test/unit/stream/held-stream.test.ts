import { describe, expect, test, vi } from "vitest";
import { ApiError, type Reason } from "../../../src/api/errors.ts";
import { StreamUnavailable } from "../../../src/ports/event-stream.ts";
import { holdStream, settled } from "../../support/stream/held-under-test.ts";
import { Listening } from "../../support/stream/listen.ts";

const listenTo = (body: ReadableStream<Uint8Array>): Listening => new Listening(body);
const frame = (seq: number, padding = "") => `id: ${seq}\ndata: ${JSON.stringify({ seq, type: "WhaleTradesInserted", padding })}\n\n`;

describe("a stream that is listened to", () => {
  test("begins with a retry of 1 to 5 seconds, then tells what it is sent", async () => {
    const { stream, body } = await holdStream();
    const heard = new Listening(body);
    stream.send({ from: 40, to: 40, isPage: true });
    stream.send({ from: 40, to: 42 }, frame(41) + frame(42));
    await heard.until(({ seqs }) => seqs.length === 2);
    expect(heard.seqs).toEqual([41, 42]);
    expect(heard.retryMs).toBeGreaterThanOrEqual(1_000);
    expect(heard.retryMs).toBeLessThanOrEqual(5_000);
  });

  test("is told to wait between 1 and 5 seconds before it comes again, each another time", async () => {
    const waits = await Promise.all(
      [0, 0.25, 0.75, 0.999_999].map(async (drawn) => {
        const { body } = await holdStream({ drawn });
        const heard = new Listening(body);
        await heard.until(({ retryMs }) => retryMs !== null);
        await heard.stop();
        return heard.retryMs ?? 0;
      }),
    );
    expect(new Set(waits).size).toBe(4);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(5_000);
  });

  test("has a comment every five seconds and nothing else while nothing happens", async () => {
    const { clock, stream, body } = await holdStream();
    const heard = new Listening(body);
    stream.send({ from: 40, to: 40, isPage: true });
    for (let passed = 0; passed < 60; passed += 20) {
      await clock.pass(20_000);
      stream.send({ from: 40, to: 40 });
    }
    expect(heard.comments).toHaveLength(12);
    expect(heard.frames).toEqual([]);
  });

  test("asks anew for what a gap, a repeat or an overlap leaves unsure, and tells each frame once", async () => {
    const { stream, body } = await holdStream({ cursor: 40 });
    const heard = new Listening(body);
    stream.send({ from: 40, to: 41, isPage: true }, frame(41));
    stream.send({ from: 42, to: 43 }, frame(43));
    expect(stream.asked).toEqual([{ more: 41 }]);
    stream.send({ from: 43, to: 44 }, frame(44));
    stream.send({ from: 41, to: 44, isPage: true }, frame(42) + frame(43) + frame(44));
    stream.send({ from: 43, to: 44 }, frame(44));
    stream.send({ from: 43, to: 45 }, frame(44) + frame(45));
    expect(stream.asked).toEqual([{ more: 41 }, { more: 44 }]);
    stream.send({ from: 44, to: 45, isPage: true }, frame(45));
    await heard.until(({ seqs }) => seqs.length === 5);
    expect(heard.seqs).toEqual([41, 42, 43, 44, 45]);
  });

  test("joins again from what it has covered when its link is lost, and the client notices nothing", async () => {
    const { clock, stream, body } = await holdStream({ cursor: 40 });
    const heard = new Listening(body);
    stream.send({ from: 40, to: 41, isPage: true }, frame(41));
    await heard.until(({ seqs }) => seqs.length === 1);
    const answer = stream.next;
    stream.next = () => {
      throw new StreamUnavailable("away");
    };
    stream.lose();
    await clock.pass(600);
    stream.next = answer;
    await clock.pass(1_000);
    expect(stream.joins.map(({ connection, cursor }) => [connection, cursor])).toEqual([
      ["c", 40],
      ["c", 41],
      ["c", 41],
      ["c", 41],
    ]);
    stream.send({ from: 41, to: 43, isPage: true }, frame(42) + frame(43));
    await heard.until(({ seqs }) => seqs.length === 3);
    expect(heard.seqs).toEqual([41, 42, 43]);
  });

  test("that cannot join again within half a minute ends with an error that may be retried", async () => {
    const { clock, stream, body } = await holdStream({ cursor: 40 });
    const heard = new Listening(body);
    stream.next = () => {
      throw new StreamUnavailable("away");
    };
    stream.lose();
    await clock.pass(31_000);
    await heard.until(({ isOver }) => isOver);
    expect(heard.frames).toEqual([
      {
        id: "40",
        event: "error",
        data: { type: "error", error: { code: "rate_limit_unavailable", reason: "stream_unavailable" }, retry: true },
      },
    ]);
    expect(clock.timers).toBe(0);
  });

  test("takes a link that says nothing for a minute for lost", async () => {
    const { clock, stream, body } = await holdStream({ cursor: 40 });
    listenTo(body);
    stream.send({ from: 40, to: 40, isPage: true });
    await clock.pass(55_000);
    expect(stream.joins).toHaveLength(1);
    await clock.pass(10_000);
    expect(stream.joins).toHaveLength(2);
    expect(stream.open).toBe(1);
  });
});

test("a client that has gone leaves no link and no timer", async () => {
  const { clock, stream, body } = await holdStream();
  expect([stream.open, clock.timers]).toEqual([1, 1]);
  await body.cancel();
  expect([stream.open, clock.timers]).toEqual([0, 0]);
});

describe("a client that reads slowly", () => {
  test("has at most a mebibyte waiting, and gets all of it in the end", async () => {
    const { stream, body } = await holdStream({ cursor: 0 });
    const heard = new Listening(body, true);
    stream.send({ from: 0, to: 0, isPage: true });
    const padding = "x".repeat(10_000);
    for (let seq = 1; seq <= 1_000; seq++) stream.send({ from: seq - 1, to: seq }, frame(seq, padding));
    // Of ten million bytes it took as many as it may, and then asked for no more to be sent.
    expect(stream.asked).toEqual(["pause"]);
    heard.resume();
    await vi.waitFor(() => expect(stream.asked).toHaveLength(2));
    const { more } = Object(stream.asked[1]);
    expect(more).toBeGreaterThan(50);
    expect(more).toBeLessThan(110);
    stream.send({ from: more, to: 1_000, isPage: true }, Array.from({ length: 1_000 - more }, (_, at) => frame(more + 1 + at)).join(""));
    await heard.until(({ seqs }) => seqs.length === 1_000);
    expect(heard.seqs).toEqual(Array.from({ length: 1_000 }, (_, at) => at + 1));
  });

  test("is asked for no page before it has read the one before", async () => {
    const { stream, body } = await holdStream({ cursor: 0 });
    const heard = new Listening(body, true);
    stream.send({ from: 0, to: 2, isPage: true, isHead: false }, frame(1) + frame(2));
    await settled();
    expect(stream.asked).toEqual([]);
    heard.resume();
    await heard.until(({ seqs }) => seqs.length === 2);
    expect(stream.asked).toEqual([{ more: 2 }]);
  });
});

describe("a client that has read all there is", () => {
  test("is given the next page at once when the one before had nothing for it", async () => {
    const { stream, body } = await holdStream({ cursor: 0 });
    const heard = new Listening(body);
    await heard.until(({ retryMs }) => retryMs !== null);
    stream.send({ from: 0, to: 8_000, isPage: true, isHead: false });
    expect(stream.asked).toEqual([{ more: 8_000 }]);
    stream.send({ from: 8_000, to: 8_001, isPage: true }, frame(8_001));
    await heard.until(({ seqs }) => seqs.length === 1);
    expect(stream.asked).toHaveLength(1);
  });

  test("gets what is too much at once page by page, without waiting for anything", async () => {
    const { stream, body } = await holdStream({ cursor: 0 });
    const heard = new Listening(body);
    await heard.until(({ retryMs }) => retryMs !== null);
    stream.send({ from: 0, to: 0, isPage: true });
    stream.send({ from: 0, to: 2 }, frame(1, "x".repeat(600_000)) + frame(2, "x".repeat(600_000)));
    expect(stream.asked).toEqual(["pause", { more: 0 }]);
  });
});

describe("a client that reads nothing for long", () => {
  test("keeps its place among its key's connections: a link that was asked for nothing has nothing to say", async () => {
    const { clock, stream, body } = await holdStream({ cursor: 0 });
    const heard = new Listening(body, true);
    stream.send({ from: 0, to: 2, isPage: true, isHead: false }, frame(1) + frame(2));
    await clock.pass(300_000);
    expect([stream.joins.length, stream.open]).toEqual([1, 1]);
    heard.resume();
    await heard.until(({ seqs }) => seqs.length === 2);
    expect(stream.asked).toEqual([{ more: 2 }]);
    // From here on it should say something.
    await clock.pass(50_000);
    expect(stream.joins).toHaveLength(1);
    await clock.pass(15_000);
    expect([stream.joins.length, stream.open]).toEqual([2, 1]);
  });
});

describe("a caller who may no longer listen", () => {
  const REFUSALS: [Reason, string][] = [
    ["invalid_api_key", "invalid_api_key"],
    ["subscription_inactive", "subscription_required"],
    ["forbidden", "forbidden"],
    ["account_locked", "account_locked"],
    ["insufficient_scope", "insufficient_scope"],
  ];
  test.each(REFUSALS)("for %s hears it within 40 seconds, and not to come back", async (reason, code) => {
    let isRevoked = false;
    const recheck = async () => {
      if (isRevoked) throw new ApiError(reason);
    };
    const { clock, stream, body } = await holdStream({ recheck });
    const heard = new Listening(body);
    stream.send({ from: 40, to: 41, isPage: true }, frame(41));
    await clock.pass(31_000);
    isRevoked = true;
    await clock.pass(40_000);
    await heard.until(({ isOver }) => isOver);
    expect(heard.frames.at(-1)).toEqual({ id: "41", event: "error", data: { type: "error", error: { code, reason }, retry: false } });
    expect([stream.open, clock.timers]).toEqual([0, 0]);
  });

  test("hears it as soon when the first asking is never answered", async () => {
    let asked = 0;
    const recheck = () => (asked++ === 0 ? new Promise<void>(() => undefined) : Promise.reject(new ApiError("invalid_api_key")));
    const { clock, body } = await holdStream({ cursor: 40, recheck });
    const heard = new Listening(body);
    await clock.pass(40_000);
    await heard.until(({ isOver }) => isOver);
    expect(heard.frames).toMatchObject([{ event: "error", data: { error: { code: "invalid_api_key" }, retry: false } }]);
  });

  test("is asked for every 30 seconds", async () => {
    const recheck = vi.fn(async () => undefined);
    const { clock, stream, body } = await holdStream({ recheck });
    listenTo(body);
    for (let passed = 0; passed < 600; passed += 20) {
      await clock.pass(20_000);
      stream.send({ from: 40, to: 40, isPage: passed === 0 });
    }
    expect(recheck.mock.calls.length).toBeGreaterThanOrEqual(20);
    expect(recheck.mock.calls.length).toBeLessThanOrEqual(21);
  });

  test("and does not read gets nothing that was still waiting", async () => {
    let isRevoked = false;
    const recheck = async () => {
      if (isRevoked) throw new ApiError("invalid_api_key");
    };
    const { clock, stream, body } = await holdStream({ cursor: 40, recheck });
    const heard = new Listening(body, true);
    stream.send({ from: 40, to: 41, isPage: true }, frame(41));
    stream.send({ from: 41, to: 42 }, frame(42));
    isRevoked = true;
    await clock.pass(40_000);
    expect(stream.open).toBe(0);
    heard.resume();
    await heard.until(({ isOver }) => isOver);
    expect(heard.frames).toMatchObject([{ id: "40", event: "error" }]);
  });
});

describe("a caller whom nothing confirms", () => {
  test.each([
    ["because the store is away", () => Promise.reject(new Error("away"))],
    ["because the store says it is away", () => Promise.reject(new ApiError("database_unavailable"))],
    ["because it never answers", () => new Promise<void>(() => undefined)],
  ])("%s listens for 90 seconds and is then told to come back", async (_, recheck) => {
    const { clock, stream, body } = await holdStream({ cursor: 40, recheck });
    const heard = new Listening(body);
    stream.send({ from: 40, to: 41, isPage: true }, frame(41));
    await clock.pass(50_000);
    stream.send({ from: 41, to: 42 }, frame(42));
    await clock.pass(39_000);
    expect(heard.isOver).toBe(false);
    await clock.pass(6_000);
    await heard.until(({ isOver }) => isOver);
    expect(heard.frames.at(-1)).toEqual({
      id: "42",
      event: "error",
      data: { type: "error", error: { code: "rate_limit_unavailable", reason: "database_unavailable" }, retry: true },
    });
  });

  test("once, and then is, goes on", async () => {
    let answers = 0;
    const recheck = async () => {
      if (answers++ < 3) throw new Error("away");
    };
    const { clock, stream, body } = await holdStream({ cursor: 40, recheck });
    const heard = new Listening(body);
    stream.send({ from: 40, to: 40, isPage: true });
    for (let passed = 0; passed < 300; passed += 20) {
      await clock.pass(20_000);
      stream.send({ from: 40, to: 40 });
    }
    expect(heard.isOver).toBe(false);
    expect(answers).toBeGreaterThan(8);
  });
});
