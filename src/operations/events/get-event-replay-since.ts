import { z } from "zod";
import { defineOperation } from "../../api/operation.ts";
import { enumParam, expandParam, limitParam, textParam, numberOrStringParam } from "../../api/request/query-params.ts";
import { ApiError } from "../../api/errors.ts";
import { GRADES, gradesFrom } from "../../domain/traders/grades.ts";
import { parseId, parseWallet } from "../../domain/ids.ts";
import { eventKey } from "../../events/event-body.ts";
import { replayLargeTrades, type ReplayedTrade } from "../../queries/event-replay.ts";
import { findLargeTrades } from "../../queries/trades/large-trades.ts";
import { findConditionId } from "../../queries/markets/market-condition.ts";
import type { TraderRef } from "../../queries/traders/traders.ts";
import { presentLargeTrade } from "../large-trades/present-large-trade.ts";
import { parseMarketRef } from "../markets/market-param.ts";
import { MARKET_FILTER, MIN_GRADE_FILTER } from "../shared-params.ts";
import { parseWalletFilter, unknownWatchlist, WALLET_FILTER_PARAMS } from "../watchlists/wallet-filter.ts";
import { filterKey, openReplayCursor, replayCursorExpired, signReplayCursor } from "./replay-cursor.ts";
import { EventReplayEvent, REPLAY_META, REPLAY_TOP_LEVEL } from "./replay-schemas.ts";

export const getEventReplaySince = defineOperation({
  kind: "single",
  id: "getEventReplaySince",
  method: "get",
  path: "/api/v1/events/feed/since",
  tag: "Events",
  summary: "Replay large-trade events from a cursor, without gaps.",
  description: [
    "Returns events in the order in which they became visible, oldest first. An event that is still being " +
      "written is never skipped: the page ends before it, and a later page has it. Each event is returned once " +
      "and is identified by `id`.",
    "Without a cursor, returns the newest events and a cursor to continue from. Events are kept for seven days. A " +
      "cursor that is older, or from before a restore of the database, returns `cursor_expired`.",
  ].join("\n\n"),
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {},
  query: {
    cursor: textParam().meta({
      description:
        "`next_cursor` of a page, or `cursor` of an event. A cursor is valid only with the filters it was issued " +
        "for; with other filters it returns `cursor_expired`.",
      example: "evr_eyJleGFtcGxlIjoxfQ.c2lnbmVk",
    }),
    limit: limitParam({ max: 100, default: 50 }),
    trader: textParam().meta({
      description:
        "Only this trader, by wallet address, trd_ id or username. An unknown trader matches nothing, and " +
        "the cursor still advances.",
      example: "trd_12",
    }),
    ...WALLET_FILTER_PARAMS,
    condition_id: textParam().meta(MARKET_FILTER),
    min_grade: enumParam(GRADES).meta(MIN_GRADE_FILTER),
    min_size: numberOrStringParam({ min: 0, max: 1e15 }).meta({
      description:
        "Minimum size in dollars, without fees. Sizes are compared in cents, rounded half up. All when left out.",
      example: 25_000,
    }),
    expand: expandParam(["trade"]).meta({ description: "Adds the large trade to each event.", example: ["trade"] }),
  },
  reasons: ["cursor_expired"],
  conditional: false,
  cacheSeconds: 0,
  mcpTool: "get_event_replay_since",
  object: "event_replay",
  data: z.array(EventReplayEvent),
  topLevel: REPLAY_TOP_LEVEL,
  meta: REPLAY_META,
  async handle({ query }, { db, config, principal }) {
    const { trader, min_grade, min_size, limit, expand } = query;
    const { wallets, watchlistId } = parseWalletFilter(query);
    if (principal === null) throw new Error("the replay has no caller");
    const condition =
      query.condition_id === null
        ? null
        : await resolveConditionId(query.condition_id, (ref) => findConditionId(db, ref));
    const filters = filterKey({
      trader: trader?.toLowerCase() ?? null,
      condition,
      minGrade: min_grade,
      minSize: min_size,
      wallets,
      watchlistId,
    });
    const position =
      query.cursor === null || query.cursor === "" ? null : await openReplayCursor(config, query.cursor, filters);
    const page = await replayLargeTrades(
      db,
      {
        trader: trader === null ? null : toTraderRef(trader.toLowerCase()),
        market: condition === null ? null : { conditionId: condition },
        grades: min_grade === null ? null : gradesFrom(min_grade),
        minSizeUsd: min_size,
        wallets,
        watchlist: watchlistId === null ? null : { accountId: principal.accountId, id: watchlistId },
      },
      { cursor: position, limit },
    );
    if (!page.isWatchlistKnown) throw unknownWatchlist();
    const { epoch } = page;
    if (epoch === null) throw new ApiError("database_unavailable");
    if (!page.isContiguous)
      throw replayCursorExpired("Events after this cursor are no longer kept. Start again without a cursor.");
    const trades = expand.includes("trade")
      ? await findLargeTrades(
          db,
          page.trades.map(({ trade_id }) => trade_id),
        )
      : null;
    const byId = trades === null ? null : new Map(trades.map((row) => [row.id, row]));
    const sign = (at: { commit_xid: string; id: string }, sequence: number) =>
      signReplayCursor(config, { epoch, commitXid: at.commit_xid, id: at.id, filters, sequence });
    const fromSequence = position?.sequence ?? 0;
    const toSequence = page.trades.at(-1)?.trade_id ?? fromSequence;
    const from = { commit_xid: position?.commitXid ?? "0", id: position?.id ?? "0" };
    const fromCursor = await sign(from, fromSequence);
    const toCursor = await sign(page.nextPosition, toSequence);
    const appliedFilters = {
      ...(trader === null ? {} : { trader }),
      ...(condition === null ? {} : { condition_id: condition }),
      ...(min_grade === null ? {} : { min_grade }),
      ...(min_size === null ? {} : { min_size }),
      ...(wallets === null ? {} : { wallet: wallets }),
      ...(query.watchlist === null ? {} : { watchlist: query.watchlist }),
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
          ...(Object.keys(appliedFilters).length === 0 ? {} : { filters: appliedFilters }),
          expand,
        },
        retention: { status: "durable_database", retained_events: page.retained, cursor_expired: false },
        completeness: page.hasMore
          ? { status: "complete", reason: "Nothing between the two cursors was left out, and more events follow." }
          : { status: "caught_up", reason: "Everything that is visible by now has been read." },
      },
    };
  },
});

/** Condition id of a market filter. An unknown mkt_ id is returned as sent, and matches nothing. */
async function resolveConditionId(
  text: string,
  find: (ref: { id: number }) => Promise<string | null>,
): Promise<string> {
  const ref = parseMarketRef(text);
  return "id" in ref ? ((await find(ref)) ?? text) : ref.conditionId;
}

function toTraderRef(text: string): TraderRef {
  const address = parseWallet(text.startsWith("trd_0x") ? text.slice("trd_".length) : text);
  if (address !== null) return { address };
  const id = parseId("trader", text);
  return id === null ? { username: text } : { id };
}

function presentEvent(trade: ReplayedTrade, epoch: number, cursor: string): z.input<typeof EventReplayEvent> {
  return {
    id: `ef_${eventKey({ ...trade, epoch })}`,
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
