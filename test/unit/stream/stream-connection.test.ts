import { describe, expect, test, vi } from "vitest";
import { ApiError, type Reason } from "../../../src/api/errors.ts";
import { StreamUnavailable } from "../../../src/platform/objects/event-stream-port.ts";
import {
  openStreamConnection,
  flushPromises,
  type FakeEventStream,
  type ManualClock,
} from "../../support/stream/stream-connection-under-test.ts";
import { StreamReader } from "../../support/stream/stream-reader.ts";

const startReading = (body: ReadableStream<Uint8Array>): StreamReader => new StreamReader(body);
const frame = (seq: number, padding = "") =>
  `id: ${seq}\ndata: ${JSON.stringify({ seq, type: "WhaleTradesInserted", padding })}\n\n`;

describe("a live stream with a reading client", () => {
  test("a stream begins with a retry of 1 to 5 seconds, then delivers its frames", async () => {
    const { stream, body } = await openStreamConnection();
    const client = new StreamReader(body);
    stream.send({ from: 40, to: 40, isPage: true });
    stream.send({ from: 40, to: 42 }, frame(41) + frame(42));
    await client.until(({ seqs }) => seqs.length === 2);
    expect(client.seqs).toEqual([41, 42]);
    expect(client.retryMs).toBeGreaterThanOrEqual(1_000);
    expect(client.retryMs).toBeLessThanOrEqual(5_000);
  });

  test("each stream gets another random retry delay between 1 and 5 seconds", async () => {
    const waits = await Promise.all(
      [0, 0.25, 0.75, 0.999_999].map(async (drawn) => {
        const { body } = await openStreamConnection({ drawn });
        const client = new StreamReader(body);
        await client.until(({ retryMs }) => retryMs !== null);
        await client.stop();
        return client.retryMs ?? 0;
      }),
    );
    expect(new Set(waits).size).toBe(4);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(5_000);
  });

  test("an idle stream sends a comment every five seconds and nothing else", async () => {
    const { clock, stream, body } = await openStreamConnection();
    const client = new StreamReader(body);
    stream.send({ from: 40, to: 40, isPage: true });
    for (let passed = 0; passed < 60; passed += 20) {
      await clock.advance(20_000);
      stream.send({ from: 40, to: 40 });
    }
    expect(client.comments).toHaveLength(12);
    expect(client.frames).toEqual([]);
  });

  test("a stream requests the frames of a gap, repeat or overlap again and delivers each frame once", async () => {
    const { stream, body } = await openStreamConnection({ cursor: 40 });
    const client = new StreamReader(body);
    stream.send({ from: 40, to: 41, isPage: true }, frame(41));
    stream.send({ from: 42, to: 43 }, frame(43));
    expect(stream.commands).toEqual([{ requestPage: 41 }]);
    stream.send({ from: 43, to: 44 }, frame(44));
    stream.send({ from: 41, to: 44, isPage: true }, frame(42) + frame(43) + frame(44));
    stream.send({ from: 43, to: 44 }, frame(44));
    stream.send({ from: 43, to: 45 }, frame(44) + frame(45));
    expect(stream.commands).toEqual([{ requestPage: 41 }, { requestPage: 44 }]);
    stream.send({ from: 44, to: 45, isPage: true }, frame(45));
    await client.until(({ seqs }) => seqs.length === 5);
    expect(client.seqs).toEqual([41, 42, 43, 44, 45]);
  });

  test("a stream whose link is lost joins again from its last covered frame without the client noticing", async () => {
    const { clock, stream, body } = await openStreamConnection({ cursor: 40 });
    const client = new StreamReader(body);
    stream.send({ from: 40, to: 41, isPage: true }, frame(41));
    await client.until(({ seqs }) => seqs.length === 1);
    const joinNormally = stream.next;
    stream.next = () => {
      throw new StreamUnavailable("unavailable");
    };
    stream.loseLink();
    // With 0.5 as the random value: the first attempt after 2.5 seconds, the next ones 1 and 2 seconds later.
    await clock.advance(3_600);
    stream.next = joinNormally;
    await clock.advance(2_000);
    expect(stream.joins.map(({ connection, cursor }) => [connection, cursor])).toEqual([
      ["c", 40],
      ["c", 41],
      ["c", 41],
      ["c", 41],
    ]);
    stream.send({ from: 41, to: 43, isPage: true }, frame(42) + frame(43));
    await client.until(({ seqs }) => seqs.length === 3);
    expect(client.seqs).toEqual([41, 42, 43]);
  });

  test("streams that lose their links together join again over five seconds, whatever their order", async () => {
    const attemptedMs = await Promise.all(
      [0, 0.25, 0.75, 0.999].map(async (drawn) => {
        const { clock, stream, body } = await openStreamConnection({ cursor: 40, drawn });
        startReading(body);
        stream.send({ from: 40, to: 40, isPage: true });
        await flushPromises();
        stream.loseLink();
        let passedMs = 0;
        for (; stream.joins.length < 2 && passedMs <= 6_000; passedMs += 50) await clock.advance(50);
        return passedMs;
      }),
    );
    expect(attemptedMs).toEqual([50, 1_250, 3_750, 5_000]);
  });

  test("a stream that cannot join again within half a minute ends with a retryable error", async () => {
    const { clock, stream, body } = await openStreamConnection({ cursor: 40 });
    const client = new StreamReader(body);
    stream.next = () => {
      throw new StreamUnavailable("unavailable");
    };
    stream.loseLink();
    await clock.advance(31_000);
    await client.until(({ isEnded }) => isEnded);
    expect(client.frames).toEqual([
      {
        id: "40",
        event: "error",
        data: { type: "error", error: { code: "rate_limit_unavailable", reason: "stream_unavailable" }, retry: true },
      },
    ]);
    expect(clock.timers).toBe(0);
  });

  test("a stream treats a link without a message for a minute as lost", async () => {
    const { clock, stream, body } = await openStreamConnection({ cursor: 40 });
    startReading(body);
    stream.send({ from: 40, to: 40, isPage: true });
    await clock.advance(55_000);
    expect(stream.joins).toHaveLength(1);
    await clock.advance(10_000);
    expect(stream.joins).toHaveLength(2);
    expect(stream.open).toBe(1);
  });
});

test("a stream whose client has disconnected leaves no link and no timer", async () => {
  const { clock, stream, body } = await openStreamConnection();
  expect([stream.open, clock.timers]).toEqual([1, 1]);
  await body.cancel();
  expect([stream.open, clock.timers]).toEqual([0, 0]);
});

describe("a live stream with a slow client", () => {
  test("a slow client has at most one mebibyte waiting and receives every frame in the end", async () => {
    const { stream, body } = await openStreamConnection({ cursor: 0 });
    const client = new StreamReader(body, true);
    stream.send({ from: 0, to: 0, isPage: true });
    const padding = "x".repeat(10_000);
    for (let seq = 1; seq <= 1_000; seq++) stream.send({ from: seq - 1, to: seq }, frame(seq, padding));
    // It took as many of the ten million bytes as it may and then paused the link.
    expect(stream.commands).toEqual(["pause"]);
    client.resume();
    await vi.waitFor(() => expect(stream.commands).toHaveLength(2));
    const { requestPage } = Object(stream.commands[1]);
    expect(requestPage).toBeGreaterThan(50);
    expect(requestPage).toBeLessThan(110);
    stream.send(
      { from: requestPage, to: 1_000, isPage: true },
      Array.from({ length: 1_000 - requestPage }, (_, index) => frame(requestPage + 1 + index)).join(""),
    );
    await client.until(({ seqs }) => seqs.length === 1_000);
    expect(client.seqs).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 1));
  });

  test("the next page is requested only when the client has read the page before", async () => {
    const { stream, body } = await openStreamConnection({ cursor: 0 });
    const client = new StreamReader(body, true);
    stream.send({ from: 0, to: 2, isPage: true, isHead: false }, frame(1) + frame(2));
    await flushPromises();
    expect(stream.commands).toEqual([]);
    client.resume();
    await client.until(({ seqs }) => seqs.length === 2);
    expect(stream.commands).toEqual([{ requestPage: 2 }]);
  });
});

describe("a live stream with a client that has read everything", () => {
  test("the next page is requested at once when a page has no frame for the client", async () => {
    const { stream, body } = await openStreamConnection({ cursor: 0 });
    const client = new StreamReader(body);
    await client.until(({ retryMs }) => retryMs !== null);
    stream.send({ from: 0, to: 8_000, isPage: true, isHead: false });
    expect(stream.commands).toEqual([{ requestPage: 8_000 }]);
    stream.send({ from: 8_000, to: 8_001, isPage: true }, frame(8_001));
    await client.until(({ seqs }) => seqs.length === 1);
    expect(stream.commands).toHaveLength(1);
  });

  test("a batch that is too large for the buffer is requested again page by page, without waiting", async () => {
    const { stream, body } = await openStreamConnection({ cursor: 0 });
    const client = new StreamReader(body);
    await client.until(({ retryMs }) => retryMs !== null);
    stream.send({ from: 0, to: 0, isPage: true });
    stream.send({ from: 0, to: 2 }, frame(1, "x".repeat(600_000)) + frame(2, "x".repeat(600_000)));
    expect(stream.commands).toEqual(["pause", { requestPage: 0 }]);
  });
});

describe("a live stream with a client that stops reading", () => {
  test("a paused link stays open, because a link without a request need not send anything", async () => {
    const { clock, stream, body } = await openStreamConnection({ cursor: 0 });
    const client = new StreamReader(body, true);
    stream.send({ from: 0, to: 2, isPage: true, isHead: false }, frame(1) + frame(2));
    await clock.advance(115_000);
    expect([stream.joins.length, stream.open]).toEqual([1, 1]);
    client.resume();
    await client.until(({ seqs }) => seqs.length === 2);
    expect(stream.commands).toEqual([{ requestPage: 2 }]);
    // From here on the link should send something.
    await clock.advance(50_000);
    expect(stream.joins).toHaveLength(1);
    await clock.advance(15_000);
    expect([stream.joins.length, stream.open]).toEqual([2, 1]);
  });

  test("a stream that is not read for two minutes ends with a retryable error, before any frame that was not read", async () => {
    const { clock, stream, body } = await openStreamConnection({ cursor: 40 });
    const client = new StreamReader(body, true);
    stream.send({ from: 40, to: 41, isPage: true }, frame(41));
    await passWithHeartbeats(clock, stream, 105, 41);
    expect([stream.open, clock.timers]).toEqual([1, 1]);
    await passWithHeartbeats(clock, stream, 15, 41);
    expect([stream.open, clock.timers]).toEqual([0, 0]);
    client.resume();
    await client.until(({ isEnded }) => isEnded);
    expect(client.frames).toMatchObject([
      { id: "40", event: "error", data: { error: { reason: "request_timeout" }, retry: true } },
    ]);
  });

  test("a client that reads one chunk a minute keeps its stream", async () => {
    const { clock, stream, body } = await openStreamConnection({ cursor: 0 });
    const reader = body.getReader();
    for (let seq = 1; seq <= 10; seq++) stream.send({ from: seq - 1, to: seq, isPage: seq === 1 }, frame(seq));
    for (let minute = 1; minute <= 8; minute++) {
      await passWithHeartbeats(clock, stream, 60, 10);
      expect((await reader.read()).done).toBe(false);
    }
    expect(stream.open).toBe(1);
    await reader.cancel();
  });
});

/** Lets time pass while the shard sends a heartbeat every 15 seconds. */
async function passWithHeartbeats(clock: ManualClock, stream: FakeEventStream, seconds: number, at: number) {
  for (let passed = 0; passed < seconds; passed += 15) {
    await clock.advance(15_000);
    stream.send({ from: at, to: at });
  }
}

test("a link sends a ping every 30 seconds, also while the client does not read", async () => {
  const { clock, stream, body } = await openStreamConnection({ cursor: 40 });
  const client = new StreamReader(body, true);
  stream.send({ from: 40, to: 41, isPage: true }, frame(41));
  await clock.advance(29_000);
  expect(stream.pings).toBe(0);
  await passWithHeartbeats(clock, stream, 75, 41);
  expect(stream.pings).toBe(3);
  expect(stream.joins.map(({ sendsPings }) => sendsPings)).toEqual([true]);
  await client.stop();
});

describe("a live stream whose caller loses access", () => {
  const REFUSALS: [Reason, string][] = [
    ["invalid_api_key", "invalid_api_key"],
    ["subscription_inactive", "subscription_required"],
    ["forbidden", "forbidden"],
    ["account_locked", "account_locked"],
    ["insufficient_scope", "insufficient_scope"],
  ];
  test.each(REFUSALS)(
    "a caller refused with %s gets a final error within 40 seconds that forbids a retry",
    async (reason, code) => {
      let isRevoked = false;
      const recheck = async () => {
        if (isRevoked) throw new ApiError(reason);
      };
      const { clock, stream, body } = await openStreamConnection({ recheck });
      const client = new StreamReader(body);
      stream.send({ from: 40, to: 41, isPage: true }, frame(41));
      await clock.advance(31_000);
      isRevoked = true;
      await clock.advance(40_000);
      await client.until(({ isEnded }) => isEnded);
      expect(client.frames.at(-1)).toEqual({
        id: "41",
        event: "error",
        data: { type: "error", error: { code, reason }, retry: false },
      });
      expect([stream.open, clock.timers]).toEqual([0, 0]);
    },
  );

  test("a caller who loses access gets the error in time even if the first recheck never returns", async () => {
    let rechecks = 0;
    const recheck = () =>
      rechecks++ === 0 ? new Promise<void>(() => undefined) : Promise.reject(new ApiError("invalid_api_key"));
    const { clock, body } = await openStreamConnection({ cursor: 40, recheck });
    const client = new StreamReader(body);
    await clock.advance(40_000);
    await client.until(({ isEnded }) => isEnded);
    expect(client.frames).toMatchObject([
      { event: "error", data: { error: { code: "invalid_api_key" }, retry: false } },
    ]);
  });

  test("a finished recheck leaves no timer of its own", async () => {
    const { clock, stream, body } = await openStreamConnection();
    startReading(body);
    stream.send({ from: 40, to: 40, isPage: true });
    const timers = clock.timers;
    await clock.advance(31_000);
    expect(clock.timers).toBe(timers);
  });

  test("the caller's access is rechecked every 30 seconds", async () => {
    const recheck = vi.fn(async () => undefined);
    const { clock, stream, body } = await openStreamConnection({ recheck });
    startReading(body);
    for (let passed = 0; passed < 600; passed += 20) {
      await clock.advance(20_000);
      stream.send({ from: 40, to: 40, isPage: passed === 0 });
    }
    expect(recheck.mock.calls.length).toBeGreaterThanOrEqual(20);
    expect(recheck.mock.calls.length).toBeLessThanOrEqual(21);
  });

  test("a caller who loses access and does not read gets no frame that was still waiting", async () => {
    let isRevoked = false;
    const recheck = async () => {
      if (isRevoked) throw new ApiError("invalid_api_key");
    };
    const { clock, stream, body } = await openStreamConnection({ cursor: 40, recheck });
    const client = new StreamReader(body, true);
    stream.send({ from: 40, to: 41, isPage: true }, frame(41));
    stream.send({ from: 41, to: 42 }, frame(42));
    isRevoked = true;
    await clock.advance(40_000);
    expect(stream.open).toBe(0);
    client.resume();
    await client.until(({ isEnded }) => isEnded);
    expect(client.frames).toMatchObject([{ id: "40", event: "error" }]);
  });
});

describe("a live stream whose caller cannot be rechecked", () => {
  test.each([
    ["whose recheck fails", () => Promise.reject(new Error("unavailable"))],
    ["whose recheck is unavailable", () => Promise.reject(new ApiError("database_unavailable"))],
    ["whose recheck never returns", () => new Promise<void>(() => undefined)],
  ])("a caller %s keeps the stream for 90 seconds and then gets a retryable error", async (_, recheck) => {
    const { clock, stream, body } = await openStreamConnection({ cursor: 40, recheck });
    const client = new StreamReader(body);
    stream.send({ from: 40, to: 41, isPage: true }, frame(41));
    await clock.advance(50_000);
    stream.send({ from: 41, to: 42 }, frame(42));
    await clock.advance(39_000);
    expect(client.isEnded).toBe(false);
    await clock.advance(6_000);
    await client.until(({ isEnded }) => isEnded);
    expect(client.frames.at(-1)).toEqual({
      id: "42",
      event: "error",
      data: { type: "error", error: { code: "rate_limit_unavailable", reason: "database_unavailable" }, retry: true },
    });
  });

  test("a stream continues when a recheck succeeds after failures", async () => {
    let rechecks = 0;
    const recheck = async () => {
      if (rechecks++ < 3) throw new Error("unavailable");
    };
    const { clock, stream, body } = await openStreamConnection({ cursor: 40, recheck });
    const client = new StreamReader(body);
    stream.send({ from: 40, to: 40, isPage: true });
    for (let passed = 0; passed < 300; passed += 20) {
      await clock.advance(20_000);
      stream.send({ from: 40, to: 40 });
    }
    expect(client.isEnded).toBe(false);
    expect(rechecks).toBeGreaterThan(8);
  });
});

describe("a live stream whose shard checks access", () => {
  const openChecked = (recheck = vi.fn(async () => undefined as void)) =>
    openStreamConnection({ cursor: 40, recheck, shardChecksAccess: true }).then((opened) => ({ ...opened, recheck }));

  test("the Worker makes no check of its own while the shard confirms the access", async () => {
    const { clock, stream, body, recheck } = await openChecked();
    const client = startReading(body);
    stream.send({ from: 40, to: 40, isPage: true });
    for (let passed = 0; passed < 600; passed += 20) {
      await clock.advance(20_000);
      stream.send({ from: 40, to: 40 });
      stream.sendAccess({ confirmed: clock.now() - 8_000 });
    }
    expect([recheck.mock.calls.length, client.isEnded]).toEqual([0, false]);
  });

  test("a refusal ends the stream with the error that a reconnect gets, and frames that wait are discarded", async () => {
    const { clock, stream, body } = await openChecked();
    const client = new StreamReader(body, true);
    stream.send({ from: 40, to: 41, isPage: true }, frame(41));
    stream.sendAccess({ refused: "account_locked" });
    expect([stream.open, clock.timers]).toEqual([0, 0]);
    client.resume();
    await client.until(({ isEnded }) => isEnded);
    expect(client.frames).toEqual([
      {
        id: "40",
        event: "error",
        data: { type: "error", error: { code: "account_locked", reason: "account_locked" }, retry: false },
      },
    ]);
  });

  test("a stream that the shard has not confirmed for 90 seconds ends with a retryable error", async () => {
    const { clock, stream, body, recheck } = await openChecked();
    const client = new StreamReader(body);
    stream.send({ from: 40, to: 41, isPage: true }, frame(41));
    stream.sendAccess({ confirmed: clock.now() });
    for (let passed = 0; passed < 89; passed += 1) {
      await clock.advance(1_000);
      stream.send({ from: 41, to: 41 });
    }
    expect(client.isEnded).toBe(false);
    await clock.advance(6_000);
    await client.until(({ isEnded }) => isEnded);
    expect(client.frames.at(-1)).toMatchObject({
      data: { error: { code: "rate_limit_unavailable", reason: "database_unavailable" }, retry: true },
    });
    expect(recheck).not.toHaveBeenCalled();
  });

  test("a confirmation from a clock that is ahead counts from its arrival", async () => {
    const { clock, stream, body } = await openChecked();
    const client = new StreamReader(body);
    stream.send({ from: 40, to: 40, isPage: true });
    stream.sendAccess({ confirmed: clock.now() + 1_000_000 });
    for (let passed = 0; passed < 95; passed += 5) {
      await clock.advance(5_000);
      stream.send({ from: 40, to: 40 });
    }
    await client.until(({ isEnded }) => isEnded);
  });

  test("a stream without a link checks itself, and the shard that it joins learns when it was checked", async () => {
    const { clock, stream, body, recheck } = await openChecked();
    startReading(body);
    stream.send({ from: 40, to: 40, isPage: true });
    const confirmedMs = clock.now();
    stream.sendAccess({ confirmed: confirmedMs });
    await clock.advance(27_000);
    stream.next = () => {
      throw new StreamUnavailable("unavailable");
    };
    stream.loseLink();
    await clock.advance(10_000);
    expect(recheck).toHaveBeenCalledTimes(1);
    const checkedMs = stream.joins.map(({ access }) => access?.checkedMs);
    expect([checkedMs.length > 2, checkedMs[0], checkedMs.at(-1)]).toEqual([true, confirmedMs, confirmedMs + 30_000]);
  });

  test("a stream that joins a shard of the previous release checks itself again", async () => {
    const { clock, stream, body, recheck } = await openChecked();
    startReading(body);
    stream.send({ from: 40, to: 40, isPage: true });
    stream.checksAccess = false;
    stream.loseLink();
    await clock.advance(5_000);
    stream.send({ from: 40, to: 40, isPage: true });
    await clock.advance(50_000);
    expect(recheck).toHaveBeenCalledTimes(2);
    expect(stream.joins[1]?.access).toMatchObject({ hash: "h", requirement: { scope: "read", plan: "pro" } });
  });
});
