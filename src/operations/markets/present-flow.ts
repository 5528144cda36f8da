import type { z } from "zod";
import type { FlowWindow } from "../../domain/flow-windows.ts";
import { formatId, formatPositionId } from "../../domain/ids.ts";
import { presentUsd } from "../../domain/money.ts";
import type { MarketFlow as FoundFlow } from "../../queries/market-flow.ts";
import { presentNetFlow } from "../net-flow.ts";
import type { MarketFlow } from "./flow-schemas.ts";

type Flow = z.input<typeof MarketFlow>;

/** Why a market that has more than two outcomes has no flow. */
export const NO_SIDES = "Flow is told of markets with two outcomes.";

export function presentFlow({ flow, topPositions }: FoundFlow, timeframe: FlowWindow): Flow {
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
  { address, username, grade, outcome_index: index, token_id, value_micro }: FoundFlow["topPositions"][number],
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
