import { z } from "zod";
import { conditionId } from "../../shared-fields.ts";

const price = (description: string, example: number) =>
  z
    .number()
    .min(0)
    .max(1)
    .meta({ description: `Dollars per share, 0 to 1: ${description}.`, example });

const Candle = z
  .object({
    t: z.int().meta({
      description: "Start of the bucket in Unix seconds: midnight UTC of the day, or of the Monday of the week.",
      example: 1_795_132_800,
    }),
    o: price("price of the first trade", 0.5),
    h: price("highest trade price", 0.61),
    l: price("lowest trade price", 0.48),
    c: price("price of the last trade", 0.55),
  })
  .meta({ id: "Candle", description: "Prices of one outcome in one bucket." });

const OutcomeCandles = z
  .object({
    token_id: z.string().meta({ description: "Token id of the outcome, a decimal string.", example: "1000001" }),
    outcome: z
      .enum(["YES", "NO"])
      .meta({ description: "YES is the first outcome of the market, NO the second.", example: "YES" }),
    candles: z
      .array(Candle)
      .meta({ description: "Candles, oldest first. A bucket without a trade has no prices and is left out." }),
  })
  .meta({ id: "OutcomeCandles", description: "Candles of one outcome." });

export const MarketCandles = z
  .object({
    condition_id: conditionId,
    resolution: z.enum(["1d", "1w"]).meta({
      description: "Length of a bucket: 1d is a UTC day, 1w is an ISO week that starts on Monday.",
      example: "1d",
    }),
    outcomes: z.array(OutcomeCandles).meta({
      description:
        "YES, then NO. Empty until the market's tokens are known, and for a market with more than two outcomes.",
    }),
  })
  .meta({ id: "MarketCandles", description: "Prices of the outcomes of one market over time." });
