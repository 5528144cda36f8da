import { PROVIDER_ACTIVITY_TYPES, type ActivityRecord, type ProviderWorld } from "../../provider-world.ts";
import { conditionsOf, eventIdsOf, marketsOf, activityOf, userOf } from "./data-scope.ts";
import { walkPage } from "../keyset-walk.ts";
import { presentActivity, presentTrade } from "./activity-rows.ts";
import { Refusal, ok, type ProviderResponse, type ProviderRequest, type Route } from "../request.ts";

const MOST_ROWS = 1000;
const DEFAULT_ROWS = 100;
const YEARS_3 = 3 * 365 * 86_400;
const DAY = 86_400;

export const tradeRoutes: readonly Route[] = [
  { service: "data", method: "GET", pattern: /^\/v2\/trades$/, handle: handleTrades },
  { service: "data", method: "GET", pattern: /^\/v2\/activity$/, handle: handleActivity },
];

/** @throws Refusal 400: the Data API has no offset */
export function refuseOffset({ query }: ProviderRequest): void {
  if (query.has("offset")) throw new Refusal(400, "offset is not supported, use cursor", "offset");
}

function handleTrades(request: ProviderRequest): ProviderResponse {
  refuseOffset(request);
  const { query, world } = request;
  const user = userOf(query);
  const takersOnly = query.flag("taker_only", true);
  const { list, scope } = tradesInScope(request, user);
  const window = user === null ? { from: world.feedStart(scope), to: world.feedHorizon() } : userWindow(request);
  const accepts = amountFilter(request);
  const side = query.has("side") ? query.choice("side", ["BUY", "SELL"], "BUY") : null;
  const now = world.nowMs() / 1000;
  return ok(
    walkPage(request, {
      type: "trades",
      list,
      ...window,
      limit: query.number("limit", DEFAULT_ROWS, 1, MOST_ROWS),
      ascending: false,
      matches: (movement) =>
        movement.type === "TRADE" &&
        (!takersOnly || isTaker(movement, user)) &&
        (side === null || movement.side === side) &&
        accepts(movement),
      present: (movement) => presentTrade(movement, now),
    }),
  );
}

// A recording of one wallet's activity has no roles: such rows are shown only in requests for that wallet.
const isTaker = (movement: ActivityRecord, user: string | null) =>
  movement.role === "taker" || (movement.role === null && user !== null);

function tradesInScope(
  { query, world }: ProviderRequest,
  user: string | null,
): { list: readonly ActivityRecord[]; scope: "bare" | "market" } {
  const conditions = conditionsOf(query);
  const eventIds = eventIdsOf(query);
  if (user !== null) {
    const own = world.activity.ofWallet(user);
    if (conditions === null && eventIds === null) return { list: own, scope: "bare" };
    const markets = new Set(marketsOf(world, conditions, eventIds));
    return {
      list: own.filter((movement) => movement.market !== null && markets.has(movement.market)),
      scope: "market",
    };
  }
  if (conditions !== null) return { list: activityOf(world, conditions), scope: "market" };
  if (eventIds !== null) {
    const ids = marketsOf(world, null, eventIds).map((market) => market.conditionId);
    return { list: activityOf(world, ids), scope: "market" };
  }
  return { list: world.activity.all, scope: "bare" };
}

/** The requested block times of a user: by default three years back to tomorrow; `start=1` is everything. */
function userWindow({ query, world }: ProviderRequest): { from: number; to: number } {
  const now = Math.floor(world.nowMs() / 1000);
  const start = query.number("start", 0, 0, Number.MAX_SAFE_INTEGER);
  const end = query.number("end", 0, 0, Number.MAX_SAFE_INTEGER);
  return {
    from: start === 0 ? Math.min(now - YEARS_3, world.feedStart("user")) : start,
    to: Math.min(end === 0 ? now + DAY : end, world.feedHorizon()),
  };
}

function amountFilter({ query, world }: ProviderRequest): (movement: ActivityRecord) => boolean {
  const cash = query.choice("filter_type", ["TOKENS", "CASH"], "TOKENS") === "CASH";
  const least = query.number("filter_amount", 0, 0, Number.MAX_SAFE_INTEGER) || dustFloor(world, cash);
  return cash ? (movement) => movement.size * movement.price >= least : (movement) => movement.size >= least;
}

const dustFloor = (world: ProviderWorld, cash: boolean) => (cash ? 0 : world.dustShares);

function handleActivity(request: ProviderRequest): ProviderResponse {
  refuseOffset(request);
  const { query, world } = request;
  const user = userOf(query);
  if (user === null) throw new Refusal(400, "user is required", "user");
  if (query.all("type").length > 1) throw new Refusal(400, "type may be given once", "type");
  const conditions = conditionsOf(query);
  const eventIds = eventIdsOf(query);
  if (conditions !== null && eventIds !== null)
    throw new Refusal(400, "condition and event_id exclude each other", "event_id");
  const markets = conditions === null && eventIds === null ? null : new Set(marketsOf(world, conditions, eventIds));
  // The provider silently ignores several values in one `type`: then nothing is filtered.
  const type = PROVIDER_ACTIVITY_TYPES.find((known) => known === query.text("type")?.toUpperCase()) ?? null;
  const hideTransfers = query.flag("exclude_deposits_withdrawals", true);
  const side = query.text("side")?.toUpperCase() ?? null;
  query.choice("sort_by", ["TIMESTAMP"], "TIMESTAMP");
  const now = world.nowMs() / 1000;
  return ok(
    walkPage(request, {
      type: "activity",
      list: world.activity.ofWallet(user),
      ...userWindow(request),
      limit: query.number("limit", DEFAULT_ROWS, 1, MOST_ROWS),
      ascending: query.choice("sort_direction", ["DESC", "ASC"], "DESC") === "ASC",
      matches: (movement) =>
        (type === null ? movement.type !== "TIP" : movement.type === type) &&
        !(hideTransfers && (movement.type === "DEPOSIT" || movement.type === "WITHDRAWAL")) &&
        (side === null || movement.side === side) &&
        (markets === null || (movement.market !== null && markets.has(movement.market))),
      present: (movement) => presentActivity(movement, now),
    }),
  );
}
