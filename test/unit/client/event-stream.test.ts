import { createParser } from "eventsource-parser";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openSseParser } from "../../../src/client/stream/event-parser.ts";
import {
  ConnectionError,
  InvalidApiKeyError,
  InvalidResponseError,
  SubscriptionRequiredError,
  type StreamEvent,
} from "../../../src/client/index.ts";
import { aRefusal, aStream, collect, scriptedClient } from "../../support/client/scripted-api.ts";

const frame = (seq: number, more: object = {}): string =>
  `id: ${seq}\ndata: ${JSON.stringify({ seq, published_at: "2026-11-20T12:00:00Z", type: "T", ...more })}\n\n`;
const errorFrame = (id: number, error: object, retry: boolean): string =>
  `id: ${id}\nevent: error\ndata: ${JSON.stringify({ type: "error", error, retry })}\n\n`;
const resync = (id: number): string =>
  `id: ${id}\nevent: resync\ndata: ${JSON.stringify({ type: "resync", completeness: { status: "truncated", reason: "cursor_expired" }, from_sequence: 1, to_sequence: id + 1 })}\n\n`;

/** Takes events until this many have come. */
async function take(events: AsyncIterable<StreamEvent>, count: number): Promise<string[]> {
  const ids: string[] = [];
  for await (const { kind, id } of events) {
    ids.push(kind === "frame" ? id : `${kind} ${id}`);
    if (ids.length === count) break;
  }
  return ids;
}

const lines = fc.array(
  fc.oneof(
    fc.constantFrom(
      "data: a",
      "data:b",
      "data",
      "id: 7",
      "id",
      "event: resync",
      ": comment",
      "",
      "",
      "retry: 10",
      "x: y",
    ),
    fc.string({ unit: "grapheme", maxLength: 8 }).map((text) => `data: ${text.replaceAll(/[\r\n\0]/g, "")}`),
  ),
);

test("the parser finds the messages of eventsource-parser, however the bytes are cut", () => {
  fc.assert(
    fc.property(
      lines,
      fc.constantFrom("\n", "\r\n", "\r"),
      fc.array(fc.integer({ min: 1, max: 9 })),
      (all, end, cuts) => {
        const text = `${all.join(end)}${end}data: end${end}${end}`;
        const expected: string[][] = [];
        let id = "";
        const reference = createParser({
          onEvent: (event) => {
            // The reference reports an id with its own message only.
            id = event.id ?? id;
            expected.push([event.event ?? "", event.data]);
          },
        });
        // A lone carriage return ends a line only when another character follows.
        reference.feed(`${text}:`);
        const bytes = new TextEncoder().encode(`${text}:`);
        const parser = openSseParser();
        const found: string[][] = [];
        for (let at = 0, n = 0; at < bytes.length; n++) {
          const size = cuts[n % Math.max(1, cuts.length)] ?? bytes.length;
          for (const { event, data } of parser.push(bytes.slice(at, at + size))) found.push([event, data]);
          at += size;
        }
        expect(found).toEqual(expected);
      },
    ),
  );
});

test("a message of more than 1 MiB ends the connection with an error", () => {
  const parser = openSseParser();
  expect(() => parser.push(new TextEncoder().encode(`data: ${"a".repeat(1024 * 1024)}`))).toThrow(InvalidResponseError);
});

test("the frames of a stream come from the point that was asked for, with the filters in the query", async () => {
  const { client, sent } = scriptedClient([aStream([": hi\n\n", frame(11), frame(12)])]);
  expect(await take(client.getStream({ min_grade: "A" }, { lastEventId: "10" }), 2)).toEqual(["11", "12"]);
  expect(sent[0]?.url).toBe("https://api.test/api/v1/stream?min_grade=A");
  expect(sent[0]?.headers.get("last-event-id")).toBe("10");
  expect(sent[0]?.headers.get("accept")).toBe("text/event-stream");
});

test("a stream continues after a loss behind the last event that was taken", async () => {
  const { client, sent, waits } = scriptedClient([
    aStream(["retry: 400\n\n", frame(1), frame(2)], "break"),
    new TypeError("fetch failed"),
    aRefusal(503, { code: "rate_limit_unavailable" }, { "retry-after": "7" }),
    aStream([resync(5), frame(6)]),
    aStream([frame(7)]),
  ]);
  expect(await take(client.getStream(), 5)).toEqual(["1", "2", "resync 5", "6", "7"]);
  expect(sent.map(({ headers }) => headers.get("last-event-id"))).toEqual([null, "2", "2", "2", "6"]);
  // The third wait is the server's; a byte resets the count.
  expect(waits).toEqual([400, 800, 7_000, 400]);
});

test("a checkpoint is saved when the next event is asked for", async () => {
  const saved: string[] = [];
  const checkpoint = { load: async () => "3", save: async (id: string) => void saved.push(id) };
  const { client, sent } = scriptedClient([aStream([frame(4), frame(5)])]);
  for await (const { id } of client.getStream({}, { checkpoint })) {
    expect(saved).not.toContain(id);
    if (id === "5") break;
  }
  expect(saved).toEqual(["4"]);
  expect(sent[0]?.headers.get("last-event-id")).toBe("3");
});

test("an error in the work on an event leaves the stream, and its event is not checkpointed", async () => {
  const saved: string[] = [];
  const { client } = scriptedClient([aStream([frame(4)])]);
  const work = async () => {
    for await (const _ of client.getStream({}, { checkpoint: { load: () => null, save: (id) => void saved.push(id) } }))
      throw new ConnectionError("the work failed");
  };
  await expect(work()).rejects.toThrow("the work failed");
  expect(saved).toEqual([]);
});

test("a final error without retry ends the stream as that error", async () => {
  const { client, sent } = scriptedClient([
    aStream([frame(1), errorFrame(1, { code: "invalid_api_key", message: "Revoked." }, false)]),
  ]);
  await expect(collect(client.getStream())).rejects.toThrow(InvalidApiKeyError);
  expect(sent).toHaveLength(1);
});

test("a final error with retry reconnects at its time, from the id of its frame", async () => {
  const error = { code: "rate_limit_unavailable", reason: "database_unavailable", retry_at: "2026-11-20T12:00:09Z" };
  const { client, sent, waits } = scriptedClient([
    aStream([frame(1), errorFrame(8, error, true)]),
    aStream([frame(9)]),
  ]);
  expect(await take(client.getStream(), 2)).toEqual(["1", "9"]);
  expect(waits).toEqual([9_000]);
  expect(sent[1]?.headers.get("last-event-id")).toBe("8");
});

test("a refusal that a reconnect would meet again is thrown", async () => {
  const { client } = scriptedClient([
    aRefusal(402, { code: "subscription_required", reason: "subscription_inactive" }),
  ]);
  await expect(collect(client.getStream())).rejects.toThrow(SubscriptionRequiredError);
});

test("connections that fail too often in a row end the stream", async () => {
  const { client, sent } = scriptedClient([0, 1, 2, 3].map(() => new TypeError("fetch failed")));
  await expect(collect(client.getStream({}, { maxFailures: 2 }))).rejects.toThrow(ConnectionError);
  expect(sent).toHaveLength(3);
});

test("a silent connection is dropped and replaced", async () => {
  let isCancelled = false;
  const silent = new Response(new ReadableStream({ cancel: () => void (isCancelled = true) }), {
    headers: { "content-type": "text/event-stream" },
  });
  const { client } = scriptedClient([silent, aStream([frame(1)])]);
  expect(await take(client.getStream({}, { idleMs: 5 }), 1)).toEqual(["1"]);
  expect(isCancelled).toBe(true);
});

test("the caller's abort ends the stream with its reason", async () => {
  const abort = new AbortController();
  const { client } = scriptedClient([aStream([frame(1)])], {
    sleep: async (_, signal) => {
      abort.abort(new Error("enough"));
      signal?.throwIfAborted();
    },
  });
  await expect(collect(client.getStream({}, { signal: abort.signal }))).rejects.toThrow("enough");
});

test.each([
  ["another content type", new Response("{}", { headers: { "content-type": "application/json" } })],
  ["a message that is not JSON", aStream(["id: 1\ndata: {\n\n"])],
  ["a message without an id", aStream(['data: {"type":"T"}\n\n'])],
])("%s is an InvalidResponseError", async (_, response) => {
  const { client } = scriptedClient([response]);
  await expect(collect(client.getStream())).rejects.toThrow(InvalidResponseError);
});
