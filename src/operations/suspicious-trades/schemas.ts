import { z } from "zod";
import { conditionId, marketId, nullableTitle, traderId, nullableUsername, walletAddress } from "../shared-fields.ts";

const component = (description: string, example: number | null) =>
  z.number().min(0).max(100).nullable().meta({ description, example });

export const SuspiciousTrade = z
  .object({
    id: z.string().meta({ description: "The flag's rf_ id.", example: "rf_3" }),
    suspicion_score: z
      .number()
      .min(60)
      .max(100)
      .meta({
        description:
          "How much the trade looks informed, in points from 60 to 100: a reason to look, not a finding. " +
          "Trades below 60 points are not flagged.",
        example: 73,
      }),
    severity: z.enum(["flag"]).meta({ description: "Always flag, the only severity.", example: "flag" }),
    trader: z
      .object({
        id: traderId,
        address: walletAddress,
        username: nullableUsername,
      })
      .meta({ description: "The trader who made the trade." }),
    market: z
      .object({
        id: marketId,
        condition_id: conditionId,
        title: nullableTitle,
      })
      .meta({ description: "The market of the trade." }),
    scores: z
      .object({
        timing: component(
          "How close to news the trade was, in points from 0 to 100. Always null, because it is not measured.",
          null,
        ),
        edge: component(
          "How well similar trades of the trader did, in points from 0 to 100. Always null, because it is " +
            "not measured.",
          null,
        ),
        size: component(
          "Size of the trade by dollars and by its share of the market, in points from 0 to 100. An " +
            "unknown share adds 0 points. Null when not measured.",
          73.92,
        ),
        fresh_wallet: component(
          "How new the trader was to trading, in points from 0 to 100; null when the trader's history was not known.",
          63.83,
        ),
      })
      .meta({ description: "Components of the score at the time of the assessment." }),
    evidence: z.record(z.string(), z.unknown()).meta({
      description:
        "Evidence for the assessment, as stored: the inputs, the total of each track, and the deciding track.",
      example: { track: "whale", total: 73.92, floor: 60 },
    }),
    created_at: z.iso.datetime().meta({ description: "Time of the trade, UTC.", example: "2026-11-20T12:00:00.000Z" }),
  })
  .meta({ id: "SuspiciousTrade", description: "A large trade that looks informed." });
