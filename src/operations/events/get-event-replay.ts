import { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import { enumParam, expandParam, limitParam, textParam, writtenNumberParam } from "../../api/params.ts";
import { ApiError } from "../../api/errors.ts";
import { GRADES, gradesFrom } from "../../domain/grades.ts";
import { parseId, parseWallet } from "../../domain/ids.ts";
import { replayLargeTrades, type ReplayedTrade } from "../../queries/event-replay.ts";
import { findLargeTrades } from "../../queries/large-trades.ts";
import { findConditionId } from "../../queries/market-condition.ts";
import type { TraderRef } from "../../queries/traders.ts";
import { presentLargeTrade } from "../large-trades/present-large-trade.ts";
import { parseMarketRef } from "../markets/market-ref.ts";
import { MARKET_FILTER, MIN_GRADE_FILTER } from "../param-words.ts";
import { openPlace, replayExpired, signPlace } from "./replay-cursor.ts";
import { EventReplayEvent, REPLAY_META, REPLAY_TOP_LEVEL } from "./replay-schemas.ts";

export const getEventReplaySince = defineOperation({
  kind: "single",
  id: "getEventReplaySince",
  method: "get",
  path: "/api/v1/events/feed/since",
  tag: "Events",
  summary: "Read large-trade events again from a place, none left out.",
  description: [
    "Events in the order in which they became visible, oldest first. What is still being written is never passed over: a page ends before it, and a later one has it. Each event comes once; `id` tells it from those met before.",
    "Without a cursor the newest events are given, and a place to go on from. Events are kept for seven days; a place from before that, or from before the database was restored, is refused with `cursor_expired`.",
  ].join("\n\n"),
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {
    cursor: textParam().meta({
      description:
        "A place: `next_cursor`, or an event's `cursor`. It holds for the filters it was given out under; under others it is `cursor_expired`.",
      example: "evr_eyJleGFtcGxlIjoxfQ.c2lnbmVk",
    }),
    limit: limitParam({ max: 100, default: 50 }),
    trader: textParam().meta({
      description: "Only this wallet: its address, trd_ id or username. One that is not known matches nothing, and the walk goes on.",
      example: "trd_12",
    }),
    condition_id: textParam().meta(MARKET_FILTER),
    min_grade: enumParam(GRADES).meta(MIN_GRADE_FILTER),
    min_size: writtenNumberParam({ min: 0, max: 1e15 }).meta({
      description: "Least size in dollars, without fees; half a cent and more counts as a cent. All when left out.",
      example: 25_000,
    }),
    expand: expandParam(["trade"]).meta({ description: "Adds the trade to each event.", example: ["trade"] }),
  },
  reasons: ["cursor_expired"],
  conditional: false,
  cacheSeconds: 0,
  mcpTool: "get_event_replay_since",
  object: "event_replay",
  data: z.array(EventReplayEvent),
  topLevel: REPLAY_TOP_LEVEL,
  meta: REPLAY_META,
  async handle({ query }, { db, config }) {
    const { trader, min_grade, min_size, limit, expand } = query;
    const condition = query.condition_id === null ? null : await namedCondition(query.condition_id, (ref) => findConditionId(db, ref));
    const filters = JSON.stringify([trader?.toLowerCase() ?? null, condition, min_grade, min_size]);
    const place = query.cursor === null || query.cursor === "" ? null : await openPlace(config, query.cursor, filters);
    const page = await replayLargeTrades(
      db,
      {
        trader: trader === null ? null : traderOf(trader.toLowerCase()),
        market: condition === null ? null : { conditionId: condition },
        grades: min_grade === null ? null : gradesFrom(min_grade),
        minSizeUsd: min_size,
      },
      { place, limit },
    );
    const { epoch } = page;
    if (epoch === null) throw new ApiError("database_unavailable");
    if (!page.isWhole) throw replayExpired("Events behind this place are no longer kept. Begin anew without a cursor.");
    const trades = expand.includes("trade")
      ? await findLargeTrades(
          db,
          page.trades.map(({ trade_id }) => trade_id),
        )
      : null;
    const byId = trades === null ? null : new Map(trades.map((row) => [row.id, row]));
    const sign = (at: { commit_xid: string; id: string }, sequence: number) =>
      signPlace(config, { epoch, commitXid: at.commit_xid, id: at.id, filters, sequence });
    const fromSequence = place?.sequence ?? 0;
    const toSequence = page.trades.at(-1)?.trade_id ?? fromSequence;
    const from = { commit_xid: place?.commitXid ?? "0", id: place?.id ?? "0" };
    const fromCursor = await sign(from, fromSequence);
    const toCursor = await sign(page.reached, toSequence);
    const named = {
      ...(trader === null ? {} : { trader }),
      ...(condition === null ? {} : { condition_id: condition }),
      ...(min_grade === null ? {} : { min_grade }),
      ...(min_size === null ? {} : { min_size }),
    };
    return {
      data: await Promise.all(
        page.trades.map(async (trade) => {
          const row = byId?.get(trade.trade_id);
          return {
            ...presentEvent(trade, epoch, await sign(trade, trade.trade_id)),
            ...(byId === null ? {} : { trade: row === undefined ? null : presentLargeTrade(row) }),
          };
        }),
      ),
      topLevel: { has_more: page.hasMore, next_cursor: toCursor },
      meta: {
        replay: {
          from_cursor: fromCursor,
          to_cursor: toCursor,
          from_sequence: fromSequence,
          to_sequence: toSequence,
          ordering: "commit_visibility_then_id_asc",
          pending_beyond_horizon: page.isHeldBack,
          ...(Object.keys(named).length === 0 ? {} : { filters: named }),
          expand,
        },
        retention: { status: "durable_database", retained_events: page.retained, cursor_expired: false },
        completeness: page.hasMore
          ? { status: "complete", reason: "Nothing between the two places was left out, and more follows." }
          : { status: "caught_up", reason: "Everything that is visible by now has been read." },
      },
    };
  },
});

/** The condition id that a filter names, as sent where nothing is known by that name: it then matches nothing. */
async function namedCondition(text: string, find: (ref: { id: number }) => Promise<string | null>): Promise<string> {
  const ref = parseMarketRef(text);
  return "id" in ref ? ((await find(ref)) ?? text) : ref.conditionId;
}

function traderOf(text: string): TraderRef {
  const address = parseWallet(text.startsWith("trd_0x") ? text.slice("trd_".length) : text);
  if (address !== null) return { address };
  const id = parseId("trader", text);
  return id === null ? { username: text } : { id };
}

function presentEvent(trade: ReplayedTrade, epoch: number, cursor: string): z.input<typeof EventReplayEvent> {
  return {
    id: `ef_${epoch}_${trade.id}`,
    type: "whale_trades_inserted",
    cursor,
    sequence: trade.trade_id,
    published_at: trade.created_at,
    payload: {
      count: 1,
      whale_alert_id: trade.trade_id,
      condition_id: trade.condition_id,
      trader_id: trade.trader_id,
      platform: "polymarket",
    },
    source: {
      kind: "local_durable_replay",
      producer_family: "whale_trades",
      owner: "whale_alerts",
      provider_fetch_at_request_time: false,
    },
    freshness: { status: "observed", observed_at: trade.created_at },
  };
}
