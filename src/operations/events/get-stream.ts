import { defineOperation } from "../../api/operation.ts";
import { enumParam, textParam } from "../../api/request/query-params.ts";
import { systemClock } from "../../lib/timing/clock.ts";
import { GRADES } from "../../domain/traders/grades.ts";
import { FRAME_TYPES } from "../../stream/frame-filter.ts";
import { findConditionId } from "../../queries/markets/market-condition.ts";
import { WALLET_FILTER_PARAMS } from "../watchlists/wallet-filter.ts";
import { StreamConnection } from "./stream-connection.ts";
import { parseStreamFilter, parseResumePoint } from "./stream-filter.ts";
import { StreamErrorFrame, StreamFrame, StreamResyncFrame } from "./stream-schemas.ts";

export const getStream = defineOperation({
  kind: "stream",
  id: "getStream",
  method: "get",
  path: "/api/v1/stream",
  tag: "Events",
  summary: "Stream events as they happen.",
  description: [
    "Server-Sent Events. Without a resume point, the stream starts with new events. With one, it first " +
      "sends every kept frame after the resume point and continues without a gap. Frames are kept for one " +
      "day, at most 50,000 of them.",
    "`event: resync` replaces frames that cannot be sent. `event: error` is the last frame of a stream that the " +
      "server ends. The server checks the API key again every 30 seconds and sends a comment every 5 seconds. A " +
      "stream that its client does not read for two minutes ends with an error that allows a reconnect.",
    "A frame must match all filters, in the replay and in the live stream. A key can have 5 " +
      "open streams, an account 25.",
  ].join("\n\n"),
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {
    last_event_id: textParam().meta({
      description:
        "Number of the last received frame; the stream continues after it. The header `Last-Event-ID` takes " +
        "precedence. A value that is not a whole number counts as left out.",
      example: "1795176000417",
    }),
    seq: textParam().meta({
      description: "Another name for `last_event_id`, which takes precedence.",
      example: "1795176000417",
    }),
    event: textParam().meta({
      description:
        `Only frames of these types, separated by commas: ${FRAME_TYPES.join(", ")}. ` +
        "Any other name returns 400; a blank value means no filter.",
      example: "LargeTradeInsertedV2,wallet_grade_changed",
    }),
    condition_id: textParam().meta({
      description:
        "Only frames about this market, by condition id or mkt_ id. Any other text, or the mkt_ id of an " +
        "unknown market, returns 400.",
      example: "mkt_7",
    }),
    min_grade: enumParam(GRADES).meta({
      description:
        "Only `LargeTradeInsertedV2` of traders with this grade or a better one, and " +
        "`wallet_grade_changed` to such a grade.",
      example: "A",
    }),
    ...WALLET_FILTER_PARAMS,
    min_size: textParam({ pattern: /^[0-9]+(\.[0-9]{1,6})?$/ }).meta({
      description:
        "Only `LargeTradeInsertedV2` of at least this many dollars, compared in cents, rounded half up: a decimal " +
        "above 0 with at most six decimal places.",
      example: "25000",
    }),
  },
  reasons: ["stream_unavailable"],
  conditional: false,
  cacheSeconds: 0,
  mcpTool: null,
  frames: { "": StreamFrame, resync: StreamResyncFrame, error: StreamErrorFrame },
  async handle({ query, lastEventId }, context) {
    const filter = await parseStreamFilter(query, (ref) => findConditionId(context.db, ref));
    const { keyId, accountId } = context.principal;
    const cursor = parseResumePoint(
      [lastEventId, query.last_event_id, query.seq].find((value) => value !== null && value !== "") ?? null,
    );
    const subscription = {
      connection: context.requestId,
      keyId,
      accountId,
      cursor,
      filter: {
        ...filter,
        types: filter.types === null ? null : [...filter.types],
        wallets: filter.wallets === undefined ? undefined : [...filter.wallets],
      },
    };
    return new StreamConnection(subscription, context, systemClock, Math.random).begin();
  },
});
