import { z } from "zod";
import { traderId, walletAddress } from "../fields.ts";
import { TrustCompleteness } from "../trust.ts";

const winRate = z
  .number()
  .min(0)
  .max(1)
  .nullable()
  .meta({ description: "wins over decided, a fraction from 0 to 1; null with not_enough_data." });
const status = z.enum(["measured", "not_enough_data"]).meta({ description: "Whether there are enough decided markets for a rate." });
const wins = z.int().min(0).meta({ description: "Settled markets that made a profit, fees included." });
const decided = z
  .int()
  .min(0)
  .meta({ description: "Settled markets that made a profit or a loss; those that came to exactly nothing are left out." });

const TraderEsportsGameRecord = z
  .object({
    game: z.string().meta({ description: "Name of the esports title." }),
    series_slug: z.string().meta({ description: "Its stable key." }),
    wins,
    decided,
    win_rate: winRate,
    status,
  })
  .meta({ id: "TraderEsportsGameRecord", description: "The wallet's record in one esports title." });

const TraderCategoryRecord = z
  .object({
    category: z.string().meta({ description: "A category, or Esports with its titles in games." }),
    wins,
    decided,
    win_rate: winRate,
    status,
    games: z
      .array(TraderEsportsGameRecord)
      .optional()
      .meta({ description: "By title, the one with most decided markets first. Left out of every category but Esports." }),
  })
  .meta({ id: "TraderCategoryRecord", description: "The wallet's record in one category." });

export const TraderCategoryRecords = z
  .object({
    id: traderId,
    address: walletAddress,
    basis: z.enum(["settled_markets_all_sizes"]).meta({
      description:
        "Every settled market with a category counts, however small the stake; where shares of unknown origin left the wallet none does.",
    }),
    min_decided_for_win_rate: z.int().meta({ description: "Decided markets from which on a rate is given." }),
    computed_at: z.iso.datetime().nullable().meta({
      description:
        "When the records were worked out, UTC. Null without any: nothing has settled, or the wallet's history in ordinary markets is not known.",
    }),
    completeness: TrustCompleteness,
    records: z.array(TraderCategoryRecord).meta({ description: "Most decided markets first, then by name." }),
  })
  .meta({
    id: "TraderCategoryRecords",
    description: "How often one wallet was right, by category.",
    examples: [
      {
        id: "trd_12",
        address: "0x0000000000000000000000000000000000000012",
        basis: "settled_markets_all_sizes",
        min_decided_for_win_rate: 5,
        computed_at: "2026-11-20T12:05:00.000Z",
        completeness: { status: "complete" },
        records: [
          {
            category: "Esports",
            wins: 9,
            decided: 14,
            win_rate: 0.6428,
            status: "measured",
            games: [{ game: "CS2", series_slug: "counter-strike", wins: 2, decided: 4, win_rate: null, status: "not_enough_data" }],
          },
        ],
      },
    ],
  });
