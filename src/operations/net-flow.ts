import { z } from "zod";
import { presentUsd } from "../domain/money.ts";
import type { FlowRow } from "../queries/trades/flows.ts";

const usd = (description: string, example: number) =>
  z.number().meta({ description: `Dollars: ${description}.`, example });
const tradeCount = (description: string) => z.int().meta({ description, example: 7 });

/** Net flow of large trades in a market. The operation decides which traders' trades are counted. */
export const NET_FLOW = {
  net_flow_usd: usd("net flow toward YES. Buying YES and selling NO add; buying NO and selling YES subtract", -14_000),
  direction: z.enum(["YES", "NO"]).meta({
    description:
      "Side of the net flow: NO only when the exact net flow is below 0. At 0, for example without " +
      "trades, YES is only a tie-break.",
    example: "NO",
  }),
  token_id: z
    .string()
    .nullable()
    .meta({ description: "Token id of that side; null while unknown.", example: "1000002" }),
  large_trade_count: tradeCount("Number of large trades counted."),
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
