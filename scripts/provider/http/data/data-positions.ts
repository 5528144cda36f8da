import type { Position } from "../../provider-world.ts";
import { conditionsOf, eventIdsOf, userOf } from "./data-scope.ts";
import { refuseOffset } from "./data-trades.ts";
import { offsetPage } from "../offset-page.ts";
import { Refusal, ok, type ProviderResponse, type ProviderRequest, type Route } from "../request.ts";

const STATUSES = ["OPEN", "REDEEMABLE", "REDEEMABLE_LOST", "MERGEABLE", "CLOSED"] as const;
const SORTS = ["CURRENT_VALUE", "PRICE", "TOKENS", "UNREALIZED_PNL", "REALIZED_PNL", "TOTAL_PNL", "TIMESTAMP"] as const;
const DUST_SHARES = 0.1;

export const positionRoutes: readonly Route[] = [
  { service: "data", method: "GET", pattern: /^\/v2\/positions$/, handle: handlePositions },
  { service: "data", method: "GET", pattern: /^\/v2\/value$/, handle: handleValue },
];

interface Figures {
  readonly position: Position;
  readonly cost: number;
  /** Null where the source has no mark price. */
  readonly value: number | null;
  readonly redeemable: boolean;
  readonly mergeable: boolean;
}

function handlePositions(request: ProviderRequest): ProviderResponse {
  refuseOffset(request);
  const { query, world } = request;
  const user = userOf(query);
  const conditions = conditionsOf(query);
  const eventIds = eventIdsOf(query);
  if (user === null && conditions?.length !== 1)
    throw new Refusal(400, "user or exactly one condition is required", "user");
  const status = query.choice("status", STATUSES, "OPEN");
  const sort = query.choice("sort_by", SORTS, status === "CLOSED" ? "REALIZED_PNL" : "CURRENT_VALUE");
  const descending = query.choice("sort_direction", ["DESC", "ASC"], "DESC") === "DESC";
  const title = query.text("title")?.toLowerCase() ?? "";
  const owners = user === null ? holdersOf(request, conditions?.[0] ?? "") : [user];
  const all = owners.flatMap((owner) => figuresOf(world.listPositions(owner), world.nowMs()));
  const rows = all.filter(
    ({ position }) =>
      (conditions === null || conditions.includes(position.market.conditionId)) &&
      (eventIds === null || eventIds.includes(position.market.event.id)) &&
      position.market.question.toLowerCase().includes(title),
  );
  const shown = rows
    .filter((figures) => hasStatus(figures, status))
    .sort((a, b) => sortValue(a, sort) - sortValue(b, sort));
  if (descending) shown.reverse();
  return ok(
    offsetPage(request, "positions", shown, query.number("limit", 100, 1, 1000), (figures) => presentPosition(figures)),
  );
}

/**
 * Every wallet with a position in the market: those with activity in it and those that the source lists as
 * holders.
 */
function holdersOf({ world }: ProviderRequest, condition: string): readonly string[] {
  world.loadCondition(condition);
  const market = world.catalog.findMarket(condition);
  const listed = market === null ? [] : world.listHolders(market).map((holder) => holder.wallet.address);
  return [...new Set([...listed, ...world.activity.ofCondition(condition).map((movement) => movement.wallet.address)])];
}

function figuresOf(positions: readonly Position[], now: number): readonly Figures[] {
  const openKeys = new Set(
    positions.filter((p) => p.currentSize >= DUST_SHARES).map((p) => `${p.market.conditionId}:${p.outcomeIndex}`),
  );
  return positions.map((position) => ({
    position,
    cost: position.currentSize * position.averagePrice,
    value: position.currentPrice === null ? null : position.currentSize * position.currentPrice,
    redeemable:
      position.currentSize >= DUST_SHARES && (position.market.resolution?.atMs ?? Number.POSITIVE_INFINITY) <= now,
    mergeable: openKeys.has(`${position.market.conditionId}:0`) && openKeys.has(`${position.market.conditionId}:1`),
  }));
}

function hasStatus({ position, redeemable, mergeable, value }: Figures, status: (typeof STATUSES)[number]): boolean {
  const open = position.currentSize >= DUST_SHARES;
  if (status === "CLOSED") return !open;
  if (status === "REDEEMABLE") return redeemable;
  if (status === "REDEEMABLE_LOST") return redeemable && value === 0;
  return status === "MERGEABLE" ? mergeable : open;
}

function sortValue({ position, cost, value }: Figures, sort: (typeof SORTS)[number]): number {
  const unrealized = (value ?? cost) - cost;
  switch (sort) {
    case "PRICE":
      return position.currentPrice ?? 0;
    case "TOKENS":
      return position.currentSize;
    case "UNREALIZED_PNL":
      return unrealized;
    case "REALIZED_PNL":
      return position.realizedPnl;
    case "TOTAL_PNL":
      return position.realizedPnl + unrealized;
    case "TIMESTAMP":
      return position.lastEventAt ?? 0;
    case "CURRENT_VALUE":
      return value ?? 0;
  }
}

const round = (value: number, decimals: number) => Math.round(value * 10 ** decimals) / 10 ** decimals;
const orNull = (value: number | null, decimals: number) => (value === null ? null : round(value, decimals));

function presentPosition({ position, cost, value, redeemable, mergeable }: Figures): Record<string, unknown> {
  const { market, outcomeIndex, wallet } = position;
  const opposite = outcomeIndex === 0 ? 1 : 0;
  const unrealized = value === null ? null : value - cost;
  const total = unrealized === null ? null : position.realizedPnl + unrealized;
  const closed = position.currentSize < DUST_SHARES;
  return {
    proxy_wallet: wallet.address,
    token_id: market.tokenIds[outcomeIndex] ?? "",
    condition_id: market.conditionId,
    current_size: round(position.currentSize, 4),
    avg_price: Math.trunc(position.averagePrice * 1e4) / 1e4,
    entry_cost_usdc: round(cost, 4),
    entry_fees_usdc: round(position.entryFees, 5),
    total_cost_usdc: round(cost + position.entryFees, 5),
    current_price: position.currentPrice,
    current_value: orNull(value, 4),
    total_size: round(position.totalSize, 4),
    realized_pnl: round(position.realizedPnl, 4),
    unrealized_pnl: orNull(unrealized, 4),
    total_pnl: orNull(total, 4),
    percent_pnl: unrealized === null || cost === 0 ? 0 : round((unrealized / cost) * 100, 4),
    percent_realized_pnl:
      total === null || position.totalSize === 0
        ? 0
        : round((total / (position.totalSize * position.averagePrice)) * 100, 4),
    status: closed ? "CLOSED" : redeemable ? "REDEEMABLE" : "OPEN",
    redeemable,
    mergeable,
    negative_risk: market.event.negRisk,
    archived: false,
    title: market.question,
    slug: market.slug,
    icon: market.icon,
    event_id: market.event.id,
    event_slug: market.event.slug,
    outcome: market.outcomes[outcomeIndex] ?? "",
    outcome_index: outcomeIndex,
    opposite_outcome: market.outcomes[opposite] ?? "",
    opposite_token_id: market.tokenIds[opposite] ?? "",
    end_date: market.endAtMs === null ? "1970-01-01" : new Date(market.endAtMs).toISOString().slice(0, 10),
    last_event_at: position.lastEventAt,
    first_entry_at: position.firstEntryAt,
    name: wallet.name,
    profile_image: wallet.profileImage,
    verified: false,
  };
}

function handleValue({ query, world }: ProviderRequest): ProviderResponse {
  const user = userOf(query);
  if (user === null) throw new Refusal(400, "user is required", "user");
  const values = figuresOf(world.listPositions(user), world.nowMs()).map(({ value }) => value ?? 0);
  return ok({
    data: {
      proxy_wallet: user,
      value: round(
        values.reduce((sum, value) => sum + value, 0),
        4,
      ),
    },
  });
}
