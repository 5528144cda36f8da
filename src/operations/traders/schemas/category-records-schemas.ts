import { z } from "zod";
import { traderId, walletAddress } from "../../shared-fields.ts";
import { TrustCompleteness } from "../../trust.ts";

const winRate = z
  .number()
  .min(0)
  .max(1)
  .nullable()
  .meta({ description: "wins divided by decided, a fraction from 0 to 1; null with not_enough_data." });
const status = z
  .enum(["measured", "not_enough_data"])
  .meta({ description: "measured: there are enough decided markets for a rate. not_enough_data: there are too few." });
const wins = z.int().min(0).meta({ description: "Settled markets with a profit after fees." });
const decided = z.int().min(0).meta({
  description: "Settled markets with a profit or a loss; markets with a result of exactly 0 dollars do not count.",
});

const TraderEsportsGameRecord = z
  .object({
    game: z.string().meta({ description: "Name of the esports game." }),
    series_slug: z.string().meta({ description: "Stable key of the game." }),
    wins,
    decided,
    win_rate: winRate,
    status,
  })
  .meta({ id: "TraderEsportsGameRecord", description: "The trader's record in one esports game." });

const TraderCategoryRecord = z
  .object({
    category: z.string().meta({ description: "Name of the category. Esports has its games in `games`." }),
    wins,
    decided,
    win_rate: winRate,
    status,
    games: z.array(TraderEsportsGameRecord).optional().meta({
      description: "Records by game, most decided markets first. Omitted in every category other than Esports.",
    }),
  })
  .meta({ id: "TraderCategoryRecord", description: "The trader's record in one category." });

export const TraderCategoryRecords = z
  .object({
    id: traderId,
    address: walletAddress,
    basis: z.enum(["settled_markets_all_sizes"]).meta({
      description:
        "Every settled market with a category counts, at any stake. A market from which shares of unknown " +
        "origin left does not count.",
    }),
    min_decided_for_win_rate: z.int().meta({ description: "Minimum number of decided markets for a rate." }),
    computed_at: z.iso
      .datetime()
      .nullable()
      .meta({
        description:
          "Time at which the records were computed, UTC. Null without records: no market has settled, or " +
          "the trader's history in ordinary markets is not known.",
      }),
    completeness: TrustCompleteness,
    records: z
      .array(TraderCategoryRecord)
      .meta({ description: "Records by category, most decided markets first, then by name." }),
  })
  .meta({
    id: "TraderCategoryRecords",
    description: "How often one trader made a profit, by category.",
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
            games: [
              {
                game: "CS2",
                series_slug: "counter-strike",
                wins: 2,
                decided: 4,
                win_rate: null,
                status: "not_enough_data",
              },
            ],
          },
        ],
      },
    ],
  });
