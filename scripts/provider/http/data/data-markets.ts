import type { Holder, Market, ProviderWorld } from "../../provider-world.ts";
import { lowerBound } from "../../activity-log.ts";
import { conditionsOf, eventIdsOf, marketsOf } from "./data-scope.ts";
import { handlePricesHistory } from "../prices-history.ts";
import { Refusal, ok, type ProviderResponse, type ProviderRequest, type Route } from "../request.ts";

export const marketFigureRoutes: readonly Route[] = [
  { service: "data", method: "GET", pattern: /^\/v2\/resolutions$/, handle: handleResolutions },
  { service: "data", method: "GET", pattern: /^\/v2\/holders$/, handle: handleHolders },
  { service: "data", method: "GET", pattern: /^\/v2\/live-volume$/, handle: handleLiveVolume },
  { service: "data", method: "GET", pattern: /^\/v2\/prices-history$/, handle: handlePricesHistory },
];

/** Markets that resolve within this time after they close are resolved by an oracle, without a proposal. */
const AUTOMATIC_MS = 120_000;

function handleResolutions({ query, world }: ProviderRequest): ProviderResponse {
  const conditions = conditionsOf(query);
  const eventIds = eventIdsOf(query);
  const named = [conditions, eventIds, query.text("question_id")].filter((value) => value !== null);
  if (named.length !== 1) throw new Refusal(400, "exactly one of question_id, condition, event_id", "condition");
  return ok({
    data: marketsOf(world, conditions, eventIds).flatMap((market) => presentResolution(world, market) ?? []),
  });
}

/** Null for a market without a known result: it has no row. */
function presentResolution(world: ProviderWorld, market: Market): Record<string, unknown> | null {
  const now = world.nowMs();
  const { resolution } = market;
  const common = {
    condition_id: market.conditionId,
    extended_review: false,
    was_disputed: false,
    new_version_q: false,
  };
  if (resolution !== null && resolution.atMs <= now) {
    const at = resolution.timeKnown ? new Date(resolution.atMs).toISOString().replace(/\.\d+Z$/, "Z") : "";
    return {
      ...common,
      status: "resolved",
      transaction_hash: "",
      log_index: "",
      ...(at === "" ? {} : { last_update_timestamp: at }),
      payouts: resolution.payoutsPpm,
      resolution_source: "reported",
      was_arbitrated: false,
      resolved_at: at,
    };
  }
  if (resolution === null || market.closedAtMs === null || market.closedAtMs > now) return null;
  // An automatic oracle has no proposal, so the row has no expected time.
  if (resolution.atMs - market.closedAtMs <= AUTOMATIC_MS) {
    return { ...common, status: "posed", last_update_timestamp: String(Math.floor(market.closedAtMs / 1000)) };
  }
  return {
    ...common,
    status: "proposed",
    proposed_price: (BigInt(resolution.payoutsPpm[0] ?? 0) * 1_000_000_000_000n).toString(),
    reproposed_price: "69",
    price: "69",
    transaction_hash: "",
    log_index: "",
    last_update_timestamp: String(Math.floor(market.closedAtMs / 1000)),
    expected_settlement_time: new Date(resolution.atMs).toISOString().replace(/\.\d+Z$/, "Z"),
    settlement_time_basis: "managed_proposal_expiration",
  };
}

function handleHolders({ query, world }: ProviderRequest): ProviderResponse {
  const conditions = conditionsOf(query);
  if (conditions === null) throw new Refusal(400, "condition is required", "condition");
  if (conditions.some((condition) => condition.length === 64))
    throw new Refusal(400, "combos have no holders", "condition");
  const limit = query.number("limit", 100, 1, 1000);
  const least = query.number("min_balance", 0, 0, Number.MAX_SAFE_INTEGER);
  const groups = marketsOf(world, conditions, null).flatMap((market) => {
    const holders = world.listHolders(market).filter((holder) => holder.amount > least);
    return market.tokenIds.map((tokenId, outcomeIndex) => {
      const own = holders.filter((holder) => holder.outcomeIndex === outcomeIndex).sort((a, b) => b.amount - a.amount);
      return { token_id: tokenId, holders: own.slice(0, limit).map((holder) => presentHolder(holder, tokenId)) };
    });
  });
  const shown = groups.filter((group) => group.holders.length > 0);
  return ok({ data: shown, pagination: { limit, offset: 0, has_more: false, next_cursor: null } });
}

function presentHolder({ wallet, amount, outcomeIndex }: Holder, tokenId: string): Record<string, unknown> {
  return {
    proxy_wallet: wallet.address,
    bio: wallet.bio,
    token_id: tokenId,
    pseudonym: wallet.pseudonym,
    amount: Math.round(amount * 1e6) / 1e6,
    display_username_public: wallet.name !== "",
    outcome_index: outcomeIndex,
    name: wallet.name,
    profile_image: wallet.profileImage,
    profile_image_optimized: "",
    verified: false,
  };
}

function handleLiveVolume({ query, world }: ProviderRequest): ProviderResponse {
  const eventIds = eventIdsOf(query, "id");
  if (eventIds === null) throw new Refusal(400, "event_id is required", "event_id");
  const conditions = marketsOf(world, null, eventIds)
    .map((market) => ({ condition_id: market.conditionId, taker_volume: takerShares(world, market) }))
    .sort((a, b) => b.taker_volume - a.taker_volume);
  const total = conditions.reduce((sum, row) => sum + row.taker_volume, 0);
  return ok({ data: { taker_volume_total: Math.round(total * 1e6) / 1e6, conditions } });
}

function takerShares(world: ProviderWorld, market: Market): number {
  const list = world.activity.ofCondition(market.conditionId);
  const visible = list.slice(0, lowerBound(list, world.feedHorizon(), Number.POSITIVE_INFINITY));
  const shares = visible.reduce((sum, row) => sum + (row.type === "TRADE" && row.role === "taker" ? row.size : 0), 0);
  return Math.round(shares * 1e6) / 1e6;
}
