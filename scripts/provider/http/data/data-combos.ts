import {
  comboPayoutAt,
  foldComboPositions,
  legPayoutAt,
  positionId,
  positionIdsOf,
  secondProtocolId,
  type Combo,
  type ComboEventRecord,
  type ComboLeg,
  type ComboPosition,
} from "../../combos.ts";
import type { ProviderWorld } from "../../provider-world.ts";
import { conditionsOf, userOf } from "./data-scope.ts";
import { refuseOffset } from "./data-trades.ts";
import { offsetPage } from "../offset-page.ts";
import { Refusal, ok, type ProviderRequest, type ProviderResponse, type Route } from "../request.ts";

const MOST_ROWS = 1000;
const SORTS = ["FIRST_ENTRY", "ENTRY_COST", "CURRENT_VALUE", "UPDATED"] as const;

export const comboRoutes: readonly Route[] = [
  { service: "data", method: "GET", pattern: /^\/v2\/positions\/combos$/, handle: handlePositions },
  { service: "data", method: "GET", pattern: /^\/v2\/activity\/combos$/, handle: handleActivity },
];

function handlePositions(request: ProviderRequest): ProviderResponse {
  const { user, conditions } = scopeOf(request);
  const { query, world } = request;
  const sort = query.choice("sort_by", SORTS, "FIRST_ENTRY");
  const ascending = query.choice("sort_direction", ["DESC", "ASC"], "DESC") === "ASC";
  const horizon = world.feedHorizon();
  const trades = world.activity.ofWallet(user).filter((row) => row.combo !== null && row.timestamp <= horizon);
  const key = (position: ComboPosition) =>
    sort === "UPDATED" ? position.updatedAt : sort === "FIRST_ENTRY" ? position.firstEntryAt : position.cost;
  const rows = foldComboPositions(trades, visibleEvents(world, user))
    .filter(({ combo }) => conditions === null || conditions.includes(combo.conditionId))
    .toSorted((a, b) => (ascending ? key(a) - key(b) : key(b) - key(a)));
  const limit = query.number("limit", 100, 1, MOST_ROWS);
  return ok(offsetPage(request, "combos_positions", rows, limit, (row) => presentPosition(row, user, world.nowMs())));
}

/** The newest block first. */
function handleActivity(request: ProviderRequest): ProviderResponse {
  const { user, conditions } = scopeOf(request);
  const { query, world } = request;
  const rows = visibleEvents(world, user)
    .filter(({ combo }) => conditions === null || conditions.includes(combo.conditionId))
    .toSorted((a, b) => b.blockNumber - a.blockNumber || b.logIndex - a.logIndex);
  const limit = query.number("limit", 100, 1, MOST_ROWS);
  return ok(offsetPage(request, "combos_activity", rows, limit, (row) => presentEvent(row, world.nowMs())));
}

function scopeOf(request: ProviderRequest): { user: string; conditions: readonly string[] | null } {
  refuseOffset(request);
  const user = userOf(request.query);
  if (user === null) throw new Refusal(400, "user is required", "user");
  return { user, conditions: conditionsOf(request.query) };
}

const visibleEvents = (world: ProviderWorld, user: string): readonly ComboEventRecord[] =>
  world.listComboEvents(user).filter(({ timestamp }) => timestamp <= world.feedHorizon());

function presentPosition(position: ComboPosition, user: string, nowMs: number): Record<string, unknown> {
  const { combo, outcomeIndex, size, cost, fees } = position;
  const payout = comboPayoutAt(combo, outcomeIndex, nowMs);
  const resolved = combo.legs.filter((leg) => legPayoutAt(leg, nowMs) !== null);
  const resolvedAtMs = payout === null ? null : Math.max(...resolved.map(({ market }) => market.resolution?.atMs ?? 0));
  const status = payout === null ? (resolved.length > 0 ? "PARTIAL" : "OPEN") : statusOf(payout);
  return {
    combo_condition_id: combo.conditionId,
    outcome_index: outcomeIndex,
    outcome_label: outcomeIndex === 0 ? "Yes" : "No",
    combo_position_id: positionId(combo.conditionId, outcomeIndex),
    proxy_wallet: user,
    current_size: size,
    entry_avg_price_usdc: size === 0 ? 0 : Math.trunc((cost / size) * 1e6) / 1e6,
    entry_cost_usdc: cost,
    gross_entry_cost_usdc: Math.round((cost + fees) * 1e6) / 1e6,
    entry_fees_usdc: fees,
    realized_payout_usdc: position.payout,
    status,
    redeemable: payout !== null && payout > 0 && size > 0,
    first_entry_at: iso(position.firstEntryAt * 1000),
    resolved_at: resolvedAtMs === null ? null : iso(resolvedAtMs),
    legs_total: combo.legs.length,
    legs_resolved: resolved.length,
    legs_pending: combo.legs.length - resolved.length,
    legs: presentLegs(combo, nowMs),
    updated_at: iso(position.updatedAt * 1000),
  };
}

function presentEvent(event: ComboEventRecord, nowMs: number): Record<string, unknown> {
  const { combo, outcomeIndex, transactionHash, logIndex } = event;
  return {
    id: `${transactionHash}-${logIndex}`,
    type: event.type,
    proxy_wallet: event.wallet.address,
    combo_condition_id: combo.conditionId,
    combo_position_id: positionId(combo.conditionId, outcomeIndex),
    amount_usdc: event.amount,
    payout_usdc: event.payout,
    block_number: event.blockNumber,
    timestamp: event.timestamp,
    transaction_hash: transactionHash,
    legs: presentLegs(combo, nowMs),
  };
}

const presentLegs = ({ legs }: Combo, nowMs: number) => legs.map((leg, index) => presentLeg(leg, index, nowMs));

function presentLeg(leg: ComboLeg, index: number, nowMs: number): Record<string, unknown> {
  const { market, outcomeIndex } = leg;
  const payout = legPayoutAt(leg, nowMs);
  const label = market.outcomes[outcomeIndex] ?? "";
  return {
    leg_index: index,
    leg_position_id: positionIdsOf(market)[outcomeIndex],
    // The provider writes the second protocol's form here and the legacy form in other rows.
    leg_condition_id: index % 2 === 0 ? secondProtocolId(market) : market.conditionId,
    leg_outcome_index: outcomeIndex,
    leg_outcome_label: label,
    leg_status: payout === null ? "PENDING" : statusOf(payout / 1e6),
    leg_resolved_at: payout === null ? null : iso(market.resolution?.atMs ?? 0),
    leg_current_price: payout === null ? null : payout / 1e6,
    market: {
      market_id: market.id,
      slug: market.slug,
      title: market.question,
      question: market.question,
      group_item_title: market.groupItemTitle,
      sports_market_type: market.sportsMarketType,
      line: market.line,
      outcomes: market.outcomes,
      outcome: label,
      image_url: market.icon,
      icon_url: market.icon,
      category: "",
      subcategory: "",
      tags: [],
      end_date: market.endAtMs === null ? null : iso(market.endAtMs).slice(0, 10),
      event: { event_id: market.event.id, event_slug: market.event.slug, event_title: market.event.title },
    },
  };
}

const statusOf = (payout: number) =>
  payout === 1 ? "RESOLVED_WIN" : payout === 0 ? "RESOLVED_LOSS" : "RESOLVED_PARTIAL";

const iso = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
