import { createHash } from "node:crypto";
import { z } from "zod";
import type { Book, Market, ProviderWorld } from "../provider-world.ts";
import { isClosed, isCreated } from "./gamma/gamma-objects.ts";
import { Refusal, ok, type ProviderResponse, type ProviderRequest, type Route } from "./request.ts";

const MOST_BOOKS = 500;

export const clobRoutes: readonly Route[] = [
  { service: "clob", method: "GET", pattern: /^\/time$/, handle: ({ world }) => ok(Math.floor(world.nowMs() / 1000)) },
  { service: "clob", method: "GET", pattern: /^\/book$/, handle: handleBook },
  { service: "clob", method: "POST", pattern: /^\/books$/, handle: handleBooks },
  { service: "clob", method: "GET", pattern: /^\/price$/, handle: handlePrice },
  { service: "clob", method: "GET", pattern: /^\/midpoint$/, handle: handleMidpoint },
  { service: "clob", method: "GET", pattern: /^\/last-trade-price$/, handle: handleLastTrade },
  { service: "clob", method: "GET", pattern: /^\/markets\/(0x[0-9a-fA-F]+)$/, handle: handleMarket },
];

const BookRequests = z.array(z.object({ token_id: z.string() }));

function findBook(world: ProviderWorld, tokenId: string): { market: Market; book: Book } | null {
  world.loadToken(tokenId);
  const token = world.catalog.findToken(tokenId);
  if (token === null || isClosed(token.market, world.nowMs()) || !isCreated(token.market, world.nowMs())) return null;
  const book = world.findBook(token.market, token.outcomeIndex);
  return book === null ? null : { market: token.market, book };
}

function requireBook({ world, query }: ProviderRequest): { market: Market; book: Book; tokenId: string } {
  const tokenId = query.text("token_id");
  if (tokenId === null) throw new Refusal(400, "Invalid token id");
  const found = findBook(world, tokenId);
  if (found === null) throw new Refusal(404, "No orderbook exists for the requested token id");
  return { ...found, tokenId };
}

function presentBook(market: Market, tokenId: string, book: Book): Record<string, unknown> {
  const levels = { bids: book.bids, asks: book.asks };
  return {
    market: market.conditionId,
    asset_id: tokenId,
    timestamp: String(book.timestampMs),
    hash: createHash("sha1")
      .update(JSON.stringify([tokenId, levels]))
      .digest("hex"),
    ...levels,
    min_order_size: "5",
    tick_size: String(book.tickSize),
    neg_risk: market.event.negRisk,
    last_trade_price: book.lastTradePrice === null ? "" : String(book.lastTradePrice),
  };
}

function handleBook(request: ProviderRequest): ProviderResponse {
  const { market, book, tokenId } = requireBook(request);
  return ok(presentBook(market, tokenId, book));
}

/**
 * The body is a flat array. A wrapper object silently gets an empty list, and ids without a book are left
 * out.
 */
function handleBooks({ world, body }: ProviderRequest): ProviderResponse {
  const wanted = BookRequests.safeParse(body);
  if (!wanted.success) return ok([]);
  if (wanted.data.length > MOST_BOOKS) throw new Refusal(400, "Payload exceeds the limit");
  return ok(
    wanted.data.flatMap(({ token_id }) => {
      const found = findBook(world, token_id);
      return found === null ? [] : [presentBook(found.market, token_id, found.book)];
    }),
  );
}

/** `BUY` returns the best bid and `SELL` the best ask, as at the provider. */
function handlePrice(request: ProviderRequest): ProviderResponse {
  const { book } = requireBook(request);
  const side = request.query.text("side")?.toUpperCase();
  if (side !== "BUY" && side !== "SELL") throw new Refusal(400, "Invalid side");
  const level = (side === "BUY" ? book.bids : book.asks).at(-1);
  return ok({ price: level?.price ?? "0" });
}

function handleMidpoint(request: ProviderRequest): ProviderResponse {
  const { book } = requireBook(request);
  const bid = book.bids.at(-1)?.price;
  const ask = book.asks.at(-1)?.price;
  if (bid === undefined || ask === undefined) throw new Refusal(404, "No orderbook exists for the requested token id");
  return ok({ mid: String(Math.round(((Number(bid) + Number(ask)) / 2) * 1e5) / 1e5) });
}

/** Before the first trade the provider returns 0.5 with an empty side. */
function handleLastTrade({ world, query }: ProviderRequest): ProviderResponse {
  const tokenId = query.text("token_id") ?? "";
  world.loadToken(tokenId);
  const token = world.catalog.findToken(tokenId);
  const horizon = world.feedHorizon();
  const fills = token === null ? [] : world.activity.ofCondition(token.market.conditionId);
  const last = fills.findLast((row) => row.type === "TRADE" && row.tokenId === tokenId && row.timestamp <= horizon);
  return ok(last === undefined ? { price: "0.5", side: "" } : { price: String(last.price), side: last.side });
}

function handleMarket({ world, captured }: ProviderRequest): ProviderResponse {
  const conditionId = (captured[0] ?? "").toLowerCase();
  world.loadCondition(conditionId);
  const market = world.catalog.findMarket(conditionId);
  const now = world.nowMs();
  if (market === null || !isCreated(market, now)) throw new Refusal(404, "market not found");
  if (market.recordedClob !== null) return ok(market.recordedClob);
  const closed = isClosed(market, now);
  const payouts = market.resolution !== null && market.resolution.atMs <= now ? market.resolution.payoutsPpm : null;
  const last = world.findQuote(market, 0)?.last ?? null;
  const kickoffMs = market.event.game?.kickoffMs ?? null;
  return ok({
    condition_id: market.conditionId,
    question: market.question,
    market_slug: market.slug,
    active: true,
    closed,
    archived: false,
    accepting_orders: !closed,
    enable_order_book: !closed,
    end_date_iso: market.endAtMs === null ? null : new Date(market.endAtMs).toISOString(),
    game_start_time: kickoffMs === null ? null : new Date(kickoffMs).toISOString(),
    minimum_order_size: 5,
    minimum_tick_size: 0.01,
    neg_risk: market.event.negRisk,
    neg_risk_market_id: market.event.negRisk ? market.event.negRiskMarketId : "",
    tags: market.event.tags.map((tag) => tag.label),
    tokens: market.tokenIds.map((tokenId, index) => ({
      token_id: tokenId,
      outcome: market.outcomes[index] ?? "",
      price: payouts !== null ? (payouts[index] ?? 0) / 1e6 : last === null ? null : index === 0 ? last : 1 - last,
      winner: payouts?.[index] === 1_000_000,
    })),
  });
}
