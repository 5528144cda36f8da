import { z } from "zod";
import { RECORD_KINDS } from "../../domain/record/record-kinds.ts";
import { MIN_EVENTS } from "../../scoring/record/parameters.ts";

const count = (description: string, example: number) => z.int().min(0).meta({ description, example });
const unless = `Null with fewer than ${MIN_EVENTS} events.`;

const PointsInterval = z
  .object({
    points: z.number().meta({
      description: "Mean in points (hundredths of a dollar a share), rounded to two decimals.",
      example: 1.42,
    }),
    low: z.number().meta({ description: "Lower end of the 95 % interval, in points, rounded down.", example: -0.31 }),
    high: z.number().meta({ description: "Upper end of the 95 % interval, in points, rounded up.", example: 3.16 }),
  })
  .meta({
    id: "RecordInterval",
    description: "A mean with its 95 % interval; claims on one event count as one observation of it.",
  });

const RATES = {
  events: count("Events with a claim that won or lost. Markets without a known event count as one each.", 214),
  hit_rate: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .meta({
      description: `won / (won + lost), a fraction from 0 to 1, truncated to four decimals. ${unless}`,
      example: 0.5421,
    }),
  expected_hit_rate: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .meta({
      description: `Mean price of the claims that won or lost: the hit rate that prices imply, 0 to 1, truncated to four decimals. ${unless}`,
      example: 0.5279,
    }),
  edge: PointsInterval.nullable().meta({ description: `Hit rate less expected hit rate, in points. ${unless}` }),
  profit_per_dollar: z
    .number()
    .min(-1)
    .nullable()
    .meta({
      description:
        "Profit of one dollar on each settled claim at its price, per dollar, without fees; a void claim pays what its " +
        `market paid. ${unless}`,
      example: 0.0134,
    }),
  rates_reason: z
    .enum(["too_few_events"])
    .nullable()
    .meta({
      description: `Why the rates are null: fewer than ${MIN_EVENTS} events. Null with rates.`,
      example: null,
    }),
};

const OUTCOMES = {
  won: count("Claims whose side paid one dollar a share.", 231),
  lost: count("Claims whose side paid nothing: the misses.", 195),
  void: count("Claims whose side paid a part, as in a cancelled game.", 3),
  pending: count("Claims without a result.", 40),
};

const RandomPurchases = z
  .object({
    drawn: count("Random purchases, at most one for each claim; won + lost + void + pending + late.", 466),
    unmatched: count("Claims for which no purchase of the same day, category and price band was left.", 3),
    ...OUTCOMES,
    late: count("Purchases made when the market already had its result; they are not scored.", 0),
    ...RATES,
  })
  .meta({
    id: "RecordRandomPurchases",
    description:
      "For each scored claim a random large purchase of the same UTC day, category and price band that is no claim, " +
      "drawn by a published rule. Its fields have the meaning of those of claims.",
  });

const FIGURES = {
  claims: count("Claims published; won + lost + void + pending + late + unpriced.", 471),
  resolved: count("won + lost + void.", 429),
  ...OUTCOMES,
  late: count("Claims published when the market already had its result; they are not scored.", 1),
  unpriced: count("Claims whose side had no price between 0 and 1; they are not scored.", 1),
  ...RATES,
  random: RandomPurchases,
  edge_over_random: PointsInterval.nullable().meta({
    description:
      "Edge of the claims less that of the random purchases, in points. Alerts and picks are at the mark price, purchases " +
      "at the price paid, which contains about half the spread: there it is too high by about that. Null where either " +
      "is null.",
  }),
};

const RecordTotal = z
  .object(FIGURES)
  .meta({ id: "RecordTotal", description: "The claims of all months: each count is the sum of the months." });

const RecordMonth = z
  .object({
    month: z.string().meta({ description: "UTC month of the claims' prices.", example: "2026-11" }),
    ...FIGURES,
  })
  .meta({ id: "RecordMonth", description: "The claims of one month." });

const RecordKindEntry = z
  .object({
    kind: z.enum(RECORD_KINDS).meta({
      description:
        "flag: a trade flagged as suspicious. grade: a large purchase of a trader whose published grade was S or A. " +
        "flow_alert: an alert of smart-money flow, for the side of the flow. pick: a published pick of the day that " +
        "was not withdrawn.",
      example: "flag",
    }),
    total: RecordTotal,
    months: z.array(RecordMonth).meta({ description: "Months with claims, newest first." }),
  })
  .meta({ id: "RecordKind", description: "The record of one kind of claim." });

export const PublicRecord = z
  .object({
    method: z.string().meta({ description: "Version of the method.", example: "record-1" }),
    methodology_url: z.string().meta({
      description: "Definitions, matching and intervals.",
      example: "https://www.example.com/docs/methodology#the-public-record",
    }),
    minimum_events: z.int().meta({ description: "Events below which rates are null.", example: MIN_EVENTS }),
    changed_at: z.iso.datetime().meta({
      description: "When a figure of the response last changed, UTC.",
      example: "2026-11-20T12:00:00.000Z",
    }),
    kinds: z.array(RecordKindEntry).meta({ description: "The requested kinds." }),
  })
  .meta({ id: "PublicRecord", description: "How the claims of this product ended, against random purchases." });
