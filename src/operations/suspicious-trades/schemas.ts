import { z } from "zod";

const component = (description: string, example: number | null) =>
  z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .meta({ description: `${description}, 0 to 100.`, example });

export const SuspiciousTrade = z
  .object({
    id: z.string().meta({ description: "rf_ id.", example: "rf_3" }),
    suspicion_score: z.number().min(60).max(100).meta({
      description: "How much the trade looks like somebody knowing more: a reason to look, not a finding. 60 is the floor of a flag.",
      example: 83,
    }),
    severity: z.enum(["flag"]).meta({ description: "There is one severity.", example: "flag" }),
    trader: z.object({
      id: z.string().meta({ description: "trd_ id.", example: "trd_12" }),
      address: z.string().meta({ description: "The wallet, in lower case.", example: `0x${"1".repeat(40)}` }),
      username: z.string().nullable().meta({ description: "Its name on the provider; null when it has none.", example: "Known" }),
    }),
    market: z.object({
      id: z.string().meta({ description: "mkt_ id.", example: "mkt_7" }),
      condition_id: z.string().meta({ description: "The provider's id of the market.", example: `0x${"7".repeat(64)}` }),
      title: z.string().nullable().meta({ description: "Null while the market has not been read.", example: "Will it rain?" }),
    }),
    scores: z
      .object({
        timing: component("How close to the news it came; not measured, always null", null),
        edge: component("How well such trades of the wallet did; not measured, always null", null),
        size: component("How large it is, by its dollars and its share of the market", 73.92),
        fresh_wallet: component("How new its wallet was to trading; null when the wallet's history was not known", 63.83),
      })
      .meta({ description: "What the score is made of, as it was judged." }),
    evidence: z.record(z.string(), z.unknown()).meta({
      description: "All that the judgement rests on, as it was stored: inputs, each track's total, and what decided.",
      example: { track: "whale", total: 73.92, floor: 60 },
    }),
    created_at: z.iso.datetime().meta({ description: "When the trade was made.", example: "2026-11-20T12:00:00.000Z" }),
  })
  .meta({ id: "SuspiciousTrade" });
