import { z } from "zod";
import { presentUsd } from "../domain/money.ts";
import type { FlowRow } from "../queries/flows.ts";

const usd = (description: string, example: number) => z.number().meta({ description: `Dollars: ${description}.`, example });
const tradeCount = (description: string) => z.int().meta({ description, example: 7 });

/** What large trades moved through a market, whoever's trades are counted. */
export const NET_FLOW = {
  net_flow_usd: usd("YES less NO, where buying YES and selling NO add, buying NO and selling YES subtract", -14_000),
  direction: z.enum(["YES", "NO"]).meta({
    description:
      "The side with more: NO only when the exact net is below 0. At 0, and so without a trade, YES is only a tie-break and says nothing.",
    example: "NO",
  }),
  token_id: z.string().nullable().meta({ description: "Token of that side; null while it is not known.", example: "1000002" }),
  large_trade_count: tradeCount("Large trades counted."),
  whale_trade_count: tradeCount("The value of large_trade_count under its old name."),
  buy_volume_usd: usd("all purchases of either outcome", 35_000),
  sell_volume_usd: usd("all sales of either outcome", 1_000),
};

export const presentNetFlow = (flow: FlowRow): z.input<z.ZodObject<typeof NET_FLOW>> => ({
  net_flow_usd: presentUsd(flow.net_micro),
  direction: flow.direction,
  token_id: flow.token_id,
  large_trade_count: flow.trade_count,
  whale_trade_count: flow.trade_count,
  buy_volume_usd: presentUsd(flow.buy_micro),
  sell_volume_usd: presentUsd(flow.sell_micro),
});
