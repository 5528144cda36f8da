import type { z } from "zod";
import { formatId, formatPositionId } from "../../../domain/ids.ts";
import { presentMicro, presentUsd } from "../../../domain/money.ts";
import { presentPrice, presentSecondPrice } from "../../../domain/markets/present-price.ts";
import { presentShare } from "../../../domain/present-share.ts";
import type { LargeHolding, LargePositionRow } from "../../../queries/positions/large-positions.ts";
import { presentRankedCompleteness } from "../../trust.ts";
import type { LargePosition } from "../schemas/large-position-schemas.ts";

type LargePositionData = z.input<typeof LargePosition>;

/** Sorts a page by the values it shows. Page boundaries follow the order of the list as it was built. */
export const sortLargePositionsByValue = (rows: readonly LargePositionRow[]): LargePositionRow[] =>
  rows.toSorted((a, b) => {
    const [first, second] = [pricedValueOf(a.holdings), pricedValueOf(b.holdings)];
    return first === second ? 0 : first > second ? -1 : 1;
  });

/** Value of the outcomes that have a price, in micro-dollars. */
const pricedValueOf = (holdings: readonly LargeHolding[]): bigint =>
  holdings.reduce((sum, { value_micro: value }) => sum + (value ?? 0n), 0n);

export function presentLargePosition(row: LargePositionRow): LargePositionData {
  const holdings = row.holdings.map(presentHolding);
  const [primary] = holdings;
  if (primary === undefined) throw new Error("a large position has no outcome with shares");
  const { value_usd: value, unrealized_pnl: unrealized, outcome_index: index, ...repeated } = primary;
  return {
    id: formatPositionId(row.address, row.condition_id, index),
    platform: "polymarket",
    ...(value === undefined ? {} : { total_size_usd: value }),
    ...(unrealized === undefined ? {} : { position_unrealized_pnl: unrealized }),
    ...presentCombined(row.holdings),
    is_two_sided: holdings.length > 1,
    holdings,
    ...repeated,
    event_leg_count: row.legs,
    ...(row.legs_value_micro === null ? {} : { event_total_value_usd: presentUsd(row.legs_value_micro) }),
    first_seen_at: row.first_seen_at,
    last_updated_at: row.updated_at,
    trader: presentTrader(row),
    market: {
      id: formatId("market", row.market_id),
      condition_id: row.condition_id,
      ...(row.title === null ? {} : { title: row.title }),
      ...(row.slug === null ? {} : { slug: row.slug }),
      ...(row.event_slug === null ? {} : { event_slug: row.event_slug }),
      ...(row.category === null ? {} : { category: row.category }),
    },
  };
}

function presentHolding(holding: LargeHolding): LargePositionData["holdings"][number] {
  const { shares_micro: shares, cost_micro: cost, value_micro: value } = holding;
  return {
    outcome_index: holding.outcome_index,
    ...(holding.outcome_label === null ? {} : { outcome_label: holding.outcome_label }),
    token_id: holding.token_id,
    share_count: presentMicro(shares, 6),
    avg_entry_price: presentMicro((cost * 1_000_000n) / shares, 4),
    ...(holding.price === null ? {} : { current_price: presentOutcomePrice(holding.price, holding) }),
    ...(value === null ? {} : { value_usd: presentUsd(value), unrealized_pnl: presentUsd(value - cost) }),
  };
}

const presentOutcomePrice = (price: string, { outcome_index: index, first_price: first }: LargeHolding): number =>
  index === 0 ? presentPrice(price) : presentSecondPrice(price, first);

/** Sums over both outcomes. Omitted while one outcome has no price, because a partial sum would be wrong. */
function presentCombined(
  holdings: readonly LargeHolding[],
): Pick<LargePositionData, "combined_value_usd" | "combined_unrealized_pnl"> {
  let [valueMicro, costMicro] = [0n, 0n];
  for (const { value_micro: value, cost_micro: cost } of holdings) {
    if (value === null) return {};
    valueMicro += value;
    costMicro += cost;
  }
  return { combined_value_usd: presentUsd(valueMicro), combined_unrealized_pnl: presentUsd(valueMicro - costMicro) };
}

function presentTrader({ figures, ...row }: LargePositionRow): LargePositionData["trader"] {
  return {
    id: formatId("trader", row.trader_id),
    address: row.address,
    ...(row.username === null ? {} : { username: row.username }),
    grade: row.grade,
    ...(figures?.won == null || !figures.decided ? {} : { win_rate: presentShare(figures.won, figures.decided) }),
    ...(figures?.net_micro == null ? {} : { pnl: presentUsd(figures.net_micro) }),
    ...(figures?.markets == null ? {} : { markets_traded: figures.markets }),
    completeness: presentRankedCompleteness(figures),
  };
}
