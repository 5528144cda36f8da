import { z } from "zod";
import { conditionId } from "../fields.ts";

const price = (description: string, example: number) =>
  z
    .number()
    .min(0)
    .max(1)
    .meta({ description: `Dollars a share, 0 to 1: ${description}.`, example });

const Candle = z
  .object({
    t: z.int().meta({
      description: "Start of the bucket, Unix seconds: UTC midnight of the day, or of the week's Monday.",
      example: 1_795_132_800,
    }),
    o: price("the first trade", 0.5),
    h: price("the highest trade", 0.61),
    l: price("the lowest trade", 0.48),
    c: price("the last trade", 0.55),
  })
  .meta({ id: "Candle", description: "The prices of one outcome within one bucket." });

const OutcomeCandles = z
  .object({
    token_id: z.string().meta({ description: "Token of the outcome, a decimal text.", example: "1000001" }),
    outcome: z.enum(["YES", "NO"]).meta({ description: "YES is the market's first outcome, NO its second.", example: "YES" }),
    candles: z.array(Candle).meta({ description: "Oldest first. A bucket in which nothing traded is left out: it has no prices." }),
  })
  .meta({ id: "OutcomeCandles", description: "The candles of one outcome." });

export const MarketCandles = z
  .object({
    condition_id: conditionId,
    resolution: z
      .enum(["1d", "1w"])
      .meta({ description: "Length of a bucket: 1d is a UTC day, 1w an ISO week from Monday.", example: "1d" }),
    outcomes: z.array(OutcomeCandles).meta({
      description: "YES, then NO. Empty until the market's tokens are known, and for a market of more than two outcomes.",
    }),
  })
  .meta({ id: "MarketCandles", description: "Prices of one market's outcomes over time." });
