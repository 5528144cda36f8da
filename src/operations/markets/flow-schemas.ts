import { z } from "zod";
import { FLOW_WINDOWS } from "../../domain/flow-windows.ts";
import { GRADES } from "../../domain/grades.ts";
import { BATCH_ITEMS, batchItem } from "../batch.ts";

const usd = (description: string, example: number) =>
  z.number().meta({ description: `${description}, in dollars of two decimals.`, example });
const tradeCount = (description: string) => z.int().meta({ description, example: 7 });
const CONDITION_ID = `0x${"7".repeat(64)}`;
const WALLET = `0x${"1".repeat(40)}`;

const TopPosition = z.object({
  id: z.string().meta({ description: "pos_, wallet, condition id and outcome index.", example: `pos_${WALLET}:${CONDITION_ID}:0` }),
  address: z.string().meta({ description: "Wallet, lower case.", example: WALLET }),
  username: z.string().nullable().meta({ description: "Null when the wallet shows none.", example: null }),
  grade: z.enum(GRADES).nullable().meta({ description: "The wallet's grade now.", example: "A" }),
  side: z.enum(["YES", "NO"]).meta({ description: "The outcome held.", example: "YES" }),
  token_id: z.string().nullable().meta({ description: "Its token.", example: "1000001" }),
  size_usd: usd("What the shares are worth at the outcome's price", 12_500),
});

/** Given out twice, under two names; without an id of its own, so that each stands in the document by itself. */
const sharpMoney = (description: string) =>
  z
    .object({
      net_flow_usd: usd("YES less NO: buying YES and selling NO add, buying NO and selling YES subtract", -14_000),
      direction: z
        .enum(["YES", "NO"])
        .meta({ description: "NO only when the exact net is below 0; at 0 YES is only a tie-break.", example: "NO" }),
      token_id: z.string().nullable().meta({ description: "Token of that side; null while it is not known.", example: "1000002" }),
      large_trade_count: tradeCount("Large trades counted, of graded and ungraded wallets."),
      whale_trade_count: tradeCount("The same count under its old name."),
      buy_volume_usd: usd("Gross purchases of either outcome", 35_000),
      sell_volume_usd: usd("Gross sales of either outcome", 1_000),
      top_positions: z
        .array(TopPosition)
        .max(5)
        .meta({ description: "The most valuable positions that graded wallets of known history hold there now, whatever the timeframe." }),
      oldest_snapshot_as_of: z.iso.datetime().nullable().meta({
        description: "The oldest sync of a wallet in top_positions; null when that is empty.",
        example: "2026-11-20T12:05:00.000Z",
      }),
    })
    .meta({ description });

export const MarketFlow = z
  .object({
    market: z.object({
      id: z.string().meta({ description: "mkt_ id.", example: "mkt_7" }),
      condition_id: z.string().meta({ description: "The provider's id of the market.", example: CONDITION_ID }),
      title: z
        .string()
        .meta({ description: "The slug or condition id while the provider's title has not been read.", example: "Will it rain?" }),
      slug: z.string().nullable().meta({ description: "The provider's name in addresses.", example: "will-it-rain" }),
      category: z.string().nullable().meta({ description: "Our category; null when the provider's tags name none.", example: "Politics" }),
      platform: z.enum(["polymarket"]).nullable().meta({ description: "Where it is traded.", example: "polymarket" }),
    }),
    sharp_money: sharpMoney("Every large trade recorded in the market within the timeframe, whoever made it."),
    smart_money: sharpMoney("The same object under its old name."),
    timeframe: z.string().meta({ description: "The window, up to now: 1h, 4h, 24h or 7d.", example: "24h" }),
  })
  .meta({ id: "MarketFlow" });

export const BatchMarketFlowRequest = z
  .object({
    condition_ids: z
      .array(z.string())
      .min(1)
      .max(BATCH_ITEMS)
      .meta({
        description: "Condition ids; mkt_ ids are not taken here. Duplicates are answered, and counted, each.",
        example: [CONDITION_ID],
      }),
    timeframe: z.enum(FLOW_WINDOWS).default("24h").meta({ description: "The window, up to now.", example: "24h" }),
  })
  .meta({ id: "BatchMarketFlowRequest" });

export const BatchMarketFlowItem = batchItem(MarketFlow).meta({ id: "BatchMarketFlowItem" });
