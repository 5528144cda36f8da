import { z } from "zod";

const usd = (description: string, example: number) =>
  z.number().meta({ description: `${description}, in dollars of two decimals.`, example });
const tradeCount = (description: string) => z.int().meta({ description, example: 7 });

/** Given out twice, under two names; without an id of its own, so that each stands in the document by itself. */
const sharpMoney = (description: string) =>
  z
    .object({
      net_flow_usd: usd("YES less NO: buying YES and selling NO add, buying NO and selling YES subtract", -14_000),
      direction: z
        .enum(["YES", "NO"])
        .meta({ description: "The side with more; YES at a net of 0, which is only a tie-break.", example: "NO" }),
      token_id: z.string().nullable().meta({ description: "Token of that side; null while it is not known.", example: "1000002" }),
      large_trade_count: tradeCount("Large trades counted."),
      whale_trade_count: tradeCount("The same count under its old name."),
      buy_volume_usd: usd("Gross purchases of either outcome", 35_000),
      sell_volume_usd: usd("Gross sales of either outcome", 1_000),
    })
    .meta({ description });

export const SmartMoneyFlowMarket = z
  .object({
    market: z.object({
      id: z.string().meta({ description: "mkt_ id.", example: "mkt_7" }),
      condition_id: z.string().meta({ description: "The provider's id of the market.", example: `0x${"7".repeat(64)}` }),
      title: z.string().nullable().meta({ description: "Null while the market has not been read.", example: "Will it rain?" }),
      slug: z.string().nullable().meta({ description: "The provider's name in addresses.", example: "will-it-rain" }),
      category: z.string().nullable().meta({ description: "Our category; null when the provider's tags name none.", example: "Politics" }),
      platform: z.enum(["polymarket"]).nullable().meta({ description: "Where it is traded.", example: "polymarket" }),
    }),
    sharp_money: sharpMoney("What wallets of the grades asked for moved through the market within the timeframe, by their large trades."),
    smart_money: sharpMoney("The same object under its old name."),
    timeframe: z.string().meta({ description: "The window: 1h, 4h, 24h or 7d, up to when the ranking was built.", example: "24h" }),
  })
  .meta({ id: "SmartMoneyFlowMarket" });
