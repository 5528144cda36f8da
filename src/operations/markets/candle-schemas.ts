import { z } from "zod";

const price = (description: string, example: number) =>
  z
    .number()
    .min(0)
    .max(1)
    .meta({ description: `${description}, dollars a share, cut to four decimals.`, example });

const Candle = z
  .object({
    t: z.int().meta({
      description: "Start of the bucket, Unix seconds: UTC midnight of the day, or of the week's Monday.",
      example: 1_795_132_800,
    }),
    o: price("First trade", 0.5),
    h: price("Highest trade", 0.61),
    l: price("Lowest trade", 0.48),
    c: price("Last trade", 0.55),
  })
  .meta({ id: "Candle" });

const OutcomeCandles = z
  .object({
    token_id: z.string().meta({ description: "Token of the outcome.", example: "1000001" }),
    outcome: z.enum(["YES", "NO"]).meta({ description: "The first outcome of the market is YES, the second NO.", example: "YES" }),
    candles: z.array(Candle).meta({ description: "Oldest first. A bucket in which nothing traded is left out: it has no prices." }),
  })
  .meta({ id: "OutcomeCandles" });

export const MarketCandles = z
  .object({
    condition_id: z.string().meta({ description: "The provider's id of the market.", example: `0x${"7".repeat(64)}` }),
    resolution: z.enum(["1d", "1w"]).meta({ description: "UTC days, or ISO weeks from Monday.", example: "1d" }),
    outcomes: z.array(OutcomeCandles).meta({
      description: "YES, then NO. Empty until the market's tokens are known, and for a market of more than two outcomes.",
    }),
  })
  .meta({ id: "MarketCandles" });
