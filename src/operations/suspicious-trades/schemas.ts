import { z } from "zod";
import { conditionId, marketId, titleOrNull, traderId, usernameOrNull, walletAddress } from "../fields.ts";

const component = (description: string, example: number | null) => z.number().min(0).max(100).nullable().meta({ description, example });

export const SuspiciousTrade = z
  .object({
    id: z.string().meta({ description: "The flag's rf_ id.", example: "rf_3" }),
    suspicion_score: z.number().min(60).max(100).meta({
      description:
        "How much the trade looks like somebody knowing more, points from 60 to 100: a reason to look, not a finding. What is below 60 is no flag.",
      example: 73,
    }),
    severity: z.enum(["flag"]).meta({ description: "Always flag: there is one severity.", example: "flag" }),
    trader: z
      .object({
        id: traderId,
        address: walletAddress,
        username: usernameOrNull,
      })
      .meta({ description: "Who made the trade." }),
    market: z
      .object({
        id: marketId,
        condition_id: conditionId,
        title: titleOrNull,
      })
      .meta({ description: "What was traded." }),
    scores: z
      .object({
        timing: component("How close to the news it came, points from 0 to 100. Always null: it is not measured.", null),
        edge: component("How well such trades of the wallet did, points from 0 to 100. Always null: it is not measured.", null),
        size: component(
          "How large it is by its dollars and its share of the market, points from 0 to 100; an unknown share adds nothing. Null when it was not measured.",
          73.92,
        ),
        fresh_wallet: component(
          "How new its wallet was to trading, points from 0 to 100; null when the wallet's history was not known.",
          63.83,
        ),
      })
      .meta({ description: "What the score is made of, as it was judged." }),
    evidence: z.record(z.string(), z.unknown()).meta({
      description: "All that the judgement rests on, as it was stored: inputs, each track's total, and what decided.",
      example: { track: "whale", total: 73.92, floor: 60 },
    }),
    created_at: z.iso.datetime().meta({ description: "When the trade was made, UTC.", example: "2026-11-20T12:00:00.000Z" }),
  })
  .meta({ id: "SuspiciousTrade", description: "A large trade that looks as if somebody knew more." });
