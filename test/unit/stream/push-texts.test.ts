import { NO_MATCHES } from "../../../src/domain/watchlists/watchlist-matches.ts";
import { expect, test } from "vitest";
import { listenerOf } from "../../../durable-objects/stream-fanout/listener.ts";
import { PushTexts } from "../../../durable-objects/stream-fanout/push-texts.ts";
import type { FrameFacets } from "../../../src/stream/frame-filter.ts";
import type { StreamFrame } from "../../../src/stream/frame.ts";
import { packBatch, unpackBatch } from "../../../src/stream/stream-messages.ts";

const FACETS: FrameFacets = { type: "A", conditionId: null, grade: null, wallet: null, sizeMicro: null, owner: null };
const frame = (seq: number, facets: Partial<FrameFacets> = {}): StreamFrame => ({
  seq,
  text: `${seq};`,
  facets: { ...FACETS, ...facets },
});

const aListener = (accountId: number, types: string[] | null = null) =>
  listenerOf(
    {
      subscription: {
        connection: "c",
        keyId: accountId,
        accountId,
        shard: "1",
        cursor: null,
        filter: { types, conditionId: null, minGrade: null, wallet: null, minSizeMicro: null },
      },
      phase: "live",
    },
    null,
  );

const open = (message: Uint8Array) => {
  const { batch, wantsAck } = unpackBatch(message.slice().buffer);
  return { ...batch, text: new TextDecoder().decode(batch.text), wantsAck };
};

test("a frame of one account reaches no other account with the same filter, in any order of listeners", () => {
  const texts = new PushTexts(
    { after: 0, to: 2, isHeartbeat: false, frames: [frame(1, { owner: 7 }), frame(2)] },
    NO_MATCHES,
  );
  expect([8, 7, 8].map((accountId) => texts.textFor(aListener(accountId), 0))).toEqual(["2;", "1;2;", "2;"]);
});

test("each filter and each start position has its own text", () => {
  const texts = new PushTexts(
    { after: 0, to: 2, isHeartbeat: false, frames: [frame(1), frame(2, { type: "B" })] },
    NO_MATCHES,
  );
  expect(texts.textFor(aListener(1), 0)).toBe("1;2;");
  expect(texts.textFor(aListener(1), 1)).toBe("2;");
  expect(texts.textFor(aListener(1, ["A"]), 0)).toBe("1;");
});

test("the same text from the same position is the same message, and the position is part of the message", () => {
  const texts = new PushTexts({ after: 0, to: 2, isHeartbeat: false, frames: [] }, NO_MATCHES);
  const head = (from: number) => ({ from, to: 2, isPage: false, isHead: true });
  const message = texts.messageFor(head(0), "2;");
  expect(texts.messageFor(head(0), "2;")).toBe(message);
  expect(open(texts.messageFor(head(1), "2;"))).toEqual({
    from: 1,
    to: 2,
    isPage: false,
    isHead: true,
    wantsAck: false,
    text: "2;",
  });
  expect(open(message)).toEqual({ from: 0, to: 2, isPage: false, isHead: true, wantsAck: false, text: "2;" });
  expect(open(texts.messageFor(head(0), ""))).toEqual({
    from: 0,
    to: 2,
    isPage: false,
    isHead: true,
    wantsAck: false,
    text: "",
  });
});

test("a packed message is unpacked unchanged, and invalid messages are refused", () => {
  const head = { from: 1_795_176_000_417, to: 3, isPage: true, isHead: false };
  expect(open(packBatch(head, "id: 3\ndata: é€𝄞\n\n"))).toEqual({
    ...head,
    wantsAck: false,
    text: "id: 3\ndata: é€𝄞\n\n",
  });
  expect(open(packBatch(head, "", true))).toEqual({ ...head, wantsAck: true, text: "" });
  expect(() => unpackBatch(new ArrayBuffer(16))).toThrow();
  expect(() => unpackBatch(packBatch({ ...head, from: 0.5 }, "").slice().buffer)).toThrow();
  expect(() => unpackBatch(packBatch({ ...head, from: -1 }, "").slice().buffer)).toThrow();
});
