import { defineOperation } from "../../api/operation.ts";
import { enumParam, textParam } from "../../api/params.ts";
import { GRADES } from "../../domain/grades.ts";
import { FRAME_TYPES } from "../../domain/stream/frame-filter.ts";
import { findConditionId } from "../../queries/market-condition.ts";
import { HeldStream } from "./held-stream.ts";
import type { StreamClock } from "./stream-clock.ts";
import { parseFilter, parseResumePoint } from "./stream-filter.ts";
import { StreamErrorFrame, StreamFrame, StreamResyncFrame } from "./stream-schemas.ts";

const CLOCK: StreamClock = {
  now: () => Date.now(),
  random: Math.random,
  every(ms, run) {
    const timer = setInterval(run, ms);
    return () => clearInterval(timer);
  },
};

export const getStream = defineOperation({
  kind: "stream",
  id: "getStream",
  method: "get",
  path: "/api/v1/stream",
  tag: "Events",
  summary: "Listen to events as they happen.",
  description: [
    "Server-Sent Events. Without a resume point it begins with what comes; with one it begins with every kept frame after it, and goes on without a gap. Frames are kept for a day, at most 50,000 of them.",
    "`event: resync` stands for frames that cannot be sent. `event: error` is the last frame of a stream that the server ends; the caller is asked for again every 30 seconds. A comment comes every 5 seconds.",
    "All filters have to be met, in what is replayed as in what comes. A key may have 5 streams open, and an account 25.",
  ].join("\n\n"),
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {
    last_event_id: textParam().meta({
      description:
        "The number of the last frame that was received; what comes after it is sent. The header `Last-Event-ID` goes before it. What is no whole number counts as left out.",
      example: "1795176000417",
    }),
    seq: textParam().meta({ description: "Another name for `last_event_id`, which goes before it.", example: "1795176000417" }),
    event: textParam().meta({
      description: `Only frames of these types, with commas between them: ${FRAME_TYPES.join(", ")}. Another name is refused with 400; blank is no filter.`,
      example: "LargeTradeInsertedV2,wallet_grade_changed",
    }),
    condition_id: textParam().meta({
      description:
        "Only frames that tell of this market: the provider's condition id, or a mkt_ id. What is neither is refused with 400, as is the mkt_ id of no market.",
      example: "mkt_7",
    }),
    min_grade: enumParam(GRADES).meta({
      description: "Only `LargeTradeInsertedV2` of wallets with this letter or a better one, and `wallet_grade_changed` to such a letter.",
      example: "A",
    }),
    wallet: textParam({ pattern: /^0x[a-fA-F0-9]{40}$/ }).meta({
      description: "Only `LargeTradeInsertedV2` of this wallet.",
      example: `0x${"1".repeat(40)}`,
    }),
    min_size: textParam({ pattern: /^[0-9]+(\.[0-9]{1,6})?$/ }).meta({
      description:
        "Only `LargeTradeInsertedV2` of so many dollars or more, half a cent counting as a cent: a decimal above 0 with at most six places.",
      example: "25000",
    }),
  },
  reasons: ["stream_unavailable"],
  conditional: false,
  cacheSeconds: 0,
  mcpTool: null,
  frames: { "": StreamFrame, resync: StreamResyncFrame, error: StreamErrorFrame },
  async handle({ query, lastEventId }, context) {
    const filter = await parseFilter(query, (ref) => findConditionId(context.db, ref));
    const { keyId, accountId } = context.principal;
    const cursor = parseResumePoint([lastEventId, query.last_event_id, query.seq].find((given) => given !== null && given !== "") ?? null);
    const subscription = {
      connection: context.requestId,
      keyId,
      accountId,
      cursor,
      filter: { ...filter, types: filter.types === null ? null : [...filter.types] },
    };
    return new HeldStream(subscription, context, CLOCK).begin();
  },
});
