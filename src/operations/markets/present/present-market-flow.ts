import type { z } from "zod";
import type { FlowWindow } from "../../../domain/markets/flow-windows.ts";
import { formatId, formatPositionId } from "../../../domain/ids.ts";
import { presentUsd } from "../../../domain/money.ts";
import type { MarketFlowDetail as MarketFlowResult } from "../../../queries/markets/market-flows.ts";
import { presentNetFlow } from "../../net-flow.ts";
import type { MarketFlow } from "../schemas/flow-schemas.ts";

type Flow = z.input<typeof MarketFlow>;

/** Message for a market without exactly two outcomes, which has no flow. */
export const FLOW_NEEDS_TWO_OUTCOMES = "Flow is available only for markets with two outcomes.";

export function presentMarketFlow({ flow, topPositions }: MarketFlowResult, timeframe: FlowWindow): Flow {
  const { condition_id, slug, category } = flow;
  const sharpMoney = {
    ...presentNetFlow(flow),
    top_positions: topPositions.map((position) => presentTopPosition(position, condition_id)),
    oldest_snapshot_as_of: topPositions.map(({ known_at }) => known_at).toSorted()[0] ?? null,
  };
  return {
    market: {
      id: formatId("market", flow.market_id),
      condition_id,
      title: flow.title ?? slug ?? condition_id,
      slug,
      category,
      platform: "polymarket",
    },
    sharp_money: sharpMoney,
    smart_money: sharpMoney,
    timeframe,
  };
}

function presentTopPosition(
  { address, username, grade, outcome_index: index, token_id, value_micro }: MarketFlowResult["topPositions"][number],
  conditionId: string,
): Flow["sharp_money"]["top_positions"][number] {
  return {
    id: formatPositionId(address, conditionId, index),
    address,
    username,
    grade,
    side: index === 0 ? "YES" : "NO",
    token_id,
    size_usd: presentUsd(value_micro),
  };
}
