import { z } from "zod";

const status = z.enum(["live", "insufficient", "stale", "unknown", "degraded"]).meta({
  description:
    "live: computed in the last six hours. insufficient: too few independent events, figures withheld. stale: as of an earlier time. degraded: bets have settled that are not counted yet, figures withheld. unknown is never sent: such a record is left out.",
  example: "live",
});
const figure = (description: string, example: number) =>
  z
    .number()
    .nullable()
    .meta({ description: `${description} Null while withheld.`, example });
const count = (description: string, example: number) => z.int().min(0).meta({ description, example });
const modelVersion = z.string().meta({ description: "Version of the definitions.", example: "category-skill-1" });
const TAXONOMY = { description: "Version of the map from the provider's tags to categories.", example: "categories-1" };
const sourceLastSuccess = z.iso.datetime().nullable().meta({
  description: "When the wallet's activity was last read to its end, UTC; null while it never was.",
  example: "2026-11-20T12:00:00.000Z",
});
const instant = (description: string, example: string) => z.iso.datetime().meta({ description, example });

export const CategorySkillV2 = z
  .object({
    status,
    model_version: modelVersion,
    taxonomy_version: z
      .string()
      .nullable()
      .meta({ ...TAXONOMY, description: `${TAXONOMY.description} Null when it was not noted.` }),
    platform: z.literal("polymarket").meta({ description: "The provider that was traded at." }),
    scope: z.enum(["observed_goldsky_primary_taker_fill"]).meta({
      description: "A constant of the format. Counted are all recorded purchases of the wallet, those of its resting orders too.",
    }),
    source_coverage: z.enum(["graded_wallet_fills"]).meta({ description: "The wallet's whole recorded activity, at any size." }),
    canonical_category: z.string().meta({ description: "The category.", example: "Politics" }),
    as_of: instant("When it was worked out, UTC.", "2026-11-20T12:00:00.000Z"),
    source_last_success_at: sourceLastSuccess,
    observation_started_at: instant("The wallet's first recorded fill in the category, UTC.", "2026-03-02T09:14:05.000Z"),
    latest_observation_at: z.iso.datetime().nullable().meta({
      description: "Its last recorded fill there, UTC; null when that is not known.",
      example: "2026-11-19T21:40:11.000Z",
    }),
    independent_event_count: count("Events with a settled purchase; all markets of an event are one.", 48),
    resolved_condition_count: count("Markets with a settled purchase.", 61),
    unresolved_observation_count: count("Outcomes bought in markets that have not resolved.", 5),
    edge_mean: figure(
      "Mean over events of payout less price paid, dollars a share, weighted by dollars within an event: 0.02 is won two points more often than the prices said.",
      0.0214,
    ),
    edge_sd: figure("Sample deviation of the edge over events, dollars a share.", 0.1803),
    edge_se: figure("Standard error of edge_mean, dollars a share.", 0.026),
    edge_lower_95: figure("Lower end of the 95 % interval of edge_mean by Student's t, dollars a share.", -0.031),
    brier_event_avg: figure(
      "Mean over events of the squared distance between average purchase price and payout, 0 to 1; lower is better, 0.25 is what even odds give.",
      0.2118,
    ),
  })
  .meta({ id: "CategorySkillV2", description: "The wallet's skill in one category, and how well it is known." });

export const CategorySkillModelReadiness = z
  .object({
    status,
    model_version: modelVersion,
    taxonomy_version: z.string().meta(TAXONOMY),
    observation_started_at: instant("The wallet's first recorded fill in any category, UTC.", "2026-02-11T17:02:44.000Z"),
    as_of: instant("When the records were worked out, UTC.", "2026-11-20T12:00:00.000Z"),
    source_last_success_at: sourceLastSuccess,
  })
  .meta({ id: "CategorySkillModelReadiness", description: "The records of all categories together: the best status among them." });
