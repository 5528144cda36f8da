import { NO_MATCHES } from "../../../src/domain/watchlists/watchlist-matches.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { facetsOf } from "../../../durable-objects/event-stream/facets-of.ts";
import {
  beginSequence,
  planReplay,
  publishPage,
  type Sequence,
} from "../../../durable-objects/event-stream/sequencer.ts";
import { isWanted } from "../../../durable-objects/stream-fanout/listener.ts";
import { startOfEpoch, type OutboxPage, type StoredEvent } from "../../../src/events/outbox/outbox-reader.ts";
import { floorLowerBound } from "../../../src/scoring/dollar-floor.ts";
import { sized } from "../../support/sized.ts";

const NOW = Date.parse("2026-11-20T12:00:00.000Z");
const SEQUENCE: Sequence = { lastSeq: 10, publishedMs: NOW, outboxPosition: { epoch: 1, commitXid: "5", id: "7" } };

const event = (
  id: number,
  type: string,
  payload: Record<string, unknown> = {},
  accountId: number | null = null,
): StoredEvent => ({
  id: String(id),
  identity: null,
  commit_xid: "6",
  type,
  payload,
  created_at: "2026-11-20T11:59:59.000Z",
  large_trade_id: null,
  account_id: accountId,
});
const page = (events: readonly StoredEvent[], facts: Partial<OutboxPage> = {}): OutboxPage => ({
  epoch: 1,
  isContiguous: true,
  events,
  ...facts,
});

describe("numbering of events", () => {
  test("events get the numbers after the last one, and the sequence keeps the last event's position", () => {
    const { frames, sequence } = publishPage(
      SEQUENCE,
      page([event(8, "large_trades_inserted", { count: 2 }), event(9, "trader_synced")]),
      null,
      NOW + 5,
    );
    expect(frames.map(({ seq }) => seq)).toEqual([11, 12]);
    expect(frames[0]?.text).toBe(
      'id: 11\ndata: {"seq":11,"published_at":"2026-11-20T12:00:00.005Z","type":"WhaleTradesInserted","count":2}\n\n',
    );
    expect(sequence).toEqual({
      lastSeq: 12,
      publishedMs: NOW + 5,
      outboxPosition: { epoch: 1, commitXid: "6", id: "9" },
    });
  });

  test("no field of an event replaces a field of the envelope", () => {
    const own = { seq: 1, published_at: "then", type: "other" };
    const { frames } = publishPage(SEQUENCE, page([event(8, "trader_synced", own)]), null, NOW);
    expect(JSON.parse(frames[0]?.text.split("data: ")[1] ?? "")).toEqual({
      seq: 11,
      published_at: "2026-11-20T12:00:00.000Z",
      type: "trader_synced",
    });
  });

  test("unknown event types and account events without an account get no number", () => {
    const { frames, sequence } = publishPage(
      SEQUENCE,
      page([event(8, "of_the_future"), event(9, "export_job_ready")]),
      null,
      NOW,
    );
    expect([frames, sequence.lastSeq, sequence.outboxPosition.id]).toEqual([[], 10, "9"]);
  });

  test("publication times never fall when the clock does", () => {
    expect(publishPage(SEQUENCE, page([event(8, "trader_synced")]), null, NOW - 60_000).sequence.publishedMs).toBe(NOW);
  });

  test.each([
    ["letters", "x".repeat(1_100_000)],
    ["characters of three bytes", "€".repeat(349_600)],
  ])("an event that is too long for a client, in %s, is replaced by a marker", (_, wallet) => {
    const { frames } = publishPage(SEQUENCE, page([event(8, "trader_synced", { wallet })]), null, NOW);
    expect(frames).toHaveLength(1);
    expect(frames[0]).toMatchObject({ seq: 11, facets: null });
    expect(frames[0]?.text).toContain('"status":"lagged","reason":"frame_too_long"');
  });

  test("a new sequence begins at the clock, so that its numbers are above those of a lost one", () => {
    expect(beginSequence(startOfEpoch(1), NOW)).toEqual({
      lastSeq: NOW,
      publishedMs: NOW,
      outboxPosition: startOfEpoch(1),
    });
  });
});

describe("events that are gone", () => {
  test("pruned events leave a marker, and the numbering continues after it", () => {
    const { frames, sequence } = publishPage(
      SEQUENCE,
      page([event(12, "trader_synced")], { isContiguous: false }),
      startOfEpoch(1),
      NOW,
    );
    expect(frames.map(({ seq, facets }) => [seq, facets?.type ?? "marker"])).toEqual([
      [11, "marker"],
      [12, "trader_synced"],
    ]);
    expect(sequence.outboxPosition.id).toBe("12");
  });

  test("events of a restored epoch leave a marker, and the page's events are not published", () => {
    const restored = page([event(12, "trader_synced")], { epoch: 2, isContiguous: false });
    const { frames, sequence } = publishPage(SEQUENCE, restored, startOfEpoch(2), NOW);
    expect(frames.map(({ text }) => text)).toEqual([
      'id: 11\nevent: resync\ndata: {"type":"resync","completeness":{"status":"lagged","reason":"events_restored"},"from_sequence":10,"to_sequence":12}\n\n',
    ]);
    expect(sequence.outboxPosition).toEqual(startOfEpoch(2));
  });
});

test.each([
  ["without an earlier position", { first: 5, last: 9 }, null, null, 9],
  ["at the newest frame", { first: 5, last: 9 }, 9, null, 9],
  ["within the window", { first: 5, last: 9 }, 6, null, 6],
  ["just before the window", { first: 5, last: 9 }, 4, null, 4],
  ["before the window", { first: 5, last: 9 }, 3, ["truncated", 4, 3, 5], 4],
  ["before an empty window", { first: 10, last: 9 }, 8, ["truncated", 9, 8, 10], 9],
  ["at the newest frame of an empty window", { first: 10, last: 9 }, 9, null, 9],
  ["of the future", { first: 5, last: 9 }, 10, ["reset", 9, 10, 10], 9],
  ["of another numbering", { first: 1, last: 0 }, 5_000, ["reset", 0, 5_000, 1], 0],
])("a cursor %s replays from the right frame, with a marker for a gap", (_, retained, cursor, marker, after) => {
  const plan = planReplay(retained, cursor);
  expect(plan.after).toBe(after);
  const { status, id, fromSequence, toSequence } = plan.marker ?? {};
  expect(plan.marker === null ? null : [status, id, fromSequence, toSequence]).toEqual(marker);
});

/** Rounds a text with six decimals to cents by the digit after them. */
const cents = (text: string): bigint =>
  BigInt(text.slice(0, -4).replace(".", "")) + (text.charAt(text.length - 4) >= "5" ? 1n : 0n);

/**
 * Whether a frame passes by the specification and section 13 of the contract, decided from the frame as a
 * client sees it.
 */
function shouldPass(
  data: Record<string, any>,
  owner: number | null,
  accountId: number,
  query: Record<string, string | null>,
): boolean {
  const isTrade = data["type"] === "LargeTradeInsertedV2";
  const letter = isTrade ? data["grade"] : data["type"] === "wallet_grade_changed" ? data["new_grade"] : undefined;
  if (owner !== null && owner !== accountId) return false;
  if (query["event"] != null && !query["event"].split(",").includes(data["type"])) return false;
  if (query["condition_id"] != null && data["condition_id"] !== query["condition_id"]) return false;
  if (
    query["min_grade"] != null &&
    !(letter != null && "SABCDF".indexOf(letter) <= "SABCDF".indexOf(query["min_grade"]))
  )
    return false;
  if (query["wallet"] != null && !(isTrade && data["wallet"] === query["wallet"])) return false;
  return query["min_size"] == null || (isTrade && cents(data["size_usd"]) >= cents(query["min_size"]));
}

test("filters pass exactly the frames they describe, and frames of an account reach no other account", () => {
  const letter = fc.constantFrom("S", "A", "B", "C", "D", "F");
  const condition = fc.constantFrom("0xa", "0xb");
  const wallet = fc.constantFrom("0x1", "0x2");
  const dollars = fc
    .tuple(fc.bigInt(0n, 30_000n), fc.constantFrom("000000", "000001", "004999", "005000", "999999"))
    .map(([whole, rest]) => `${whole}.${rest}`);
  const anyEvent = fc.oneof(
    fc.record({
      type: fc.constant("large_trade_inserted_v2" as const),
      payload: fc.record({ condition_id: condition, wallet, grade: fc.option(letter), size_usd: dollars }),
    }),
    fc.record({
      type: fc.constant("wallet_grade_changed" as const),
      payload: fc.record({ wallet, old_grade: letter, new_grade: letter }),
    }),
    fc.record({
      type: fc.constant("sharp_money_flow_detected" as const),
      payload: fc.record({ condition_id: condition, grade_floor: letter }),
    }),
    fc.record({ type: fc.constant("large_trades_inserted" as const), payload: fc.record({ count: fc.nat() }) }),
    fc.record({ type: fc.constant("export_job_ready" as const), payload: fc.record({ job_id: fc.string() }) }),
  );
  const account = fc.constantFrom(1, 2);
  const query = fc.record({
    event: fc.option(
      fc.constantFrom("LargeTradeInsertedV2", "wallet_grade_changed,WhaleTradesInserted", "export_job_ready", "resync"),
    ),
    condition_id: fc.option(condition),
    min_grade: fc.option(letter),
    wallet: fc.option(wallet),
    min_size: fc.option(dollars),
  });
  fc.assert(
    fc.property(anyEvent, fc.option(account), account, query, ({ type, payload }, owner, accountId, params) => {
      fc.pre(owner !== null || type !== "export_job_ready");
      const [frame] = publishPage(SEQUENCE, page([event(8, type, payload, owner)]), null, NOW).frames;
      if (frame === undefined) throw new Error("no frame");
      const filter = {
        types: params.event?.split(",") ?? null,
        conditionId: params.condition_id,
        minGrade: params.min_grade,
        wallet: params.wallet,
        minSizeMicro:
          params.min_size === null ? null : String(floorLowerBound(BigInt(params.min_size.replace(".", "")))),
      };
      const subscription = { connection: "c", keyId: 1, accountId, shard: "1", cursor: null, filter };
      const data = JSON.parse(frame.text.split("data: ")[1] ?? "");
      expect(isWanted(frame, subscription, NO_MATCHES)).toBe(shouldPass(data, owner, accountId, params));
    }),
    { numRuns: sized({ short: 4_000, full: 20_000 }) },
  );
});

test("an invalid size and an invalid grade pass no filter", () => {
  const facets = facetsOf("large_trade_inserted_v2", { size_usd: "much", grade: "E", wallet: 5 }, null);
  expect(facets).toMatchObject({ sizeMicro: null, grade: null, wallet: null });
});
