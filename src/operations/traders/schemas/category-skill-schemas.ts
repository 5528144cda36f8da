import { z } from "zod";

const status = z.enum(["live", "insufficient", "stale", "unknown", "degraded"]).meta({
  description:
    "live: computed in the last six hours. stale: computed earlier. insufficient: too few independent " +
    "events, so the figures are withheld. degraded: some settled bets are not counted yet, so the figures " +
    "are withheld. unknown: never sent, because such a record is omitted.",
  example: "live",
});
const figure = (description: string, example: number) =>
  z
    .number()
    .nullable()
    .meta({ description: `${description} Null when withheld.`, example });
const count = (description: string, example: number) => z.int().min(0).meta({ description, example });
const modelVersion = z
  .string()
  .meta({ description: "Version of the figure definitions.", example: "category-skill-3" });
const TAXONOMY = { description: "Version of the mapping from provider tags to categories.", example: "categories-1" };
const sourceLastSuccess = z.iso.datetime().nullable().meta({
  description: "Time of the last complete read of the trader's activity, UTC; null before the first one.",
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
      .meta({ ...TAXONOMY, description: `${TAXONOMY.description} Null when not recorded.` }),
    platform: z.literal("polymarket").meta({ description: "The provider of the markets." }),
    scope: z.enum(["observed_goldsky_primary_taker_fill"]).meta({
      description:
        "A constant of the format. The figures count all recorded purchases of the trader, including " +
        "fills of resting orders.",
    }),
    source_coverage: z
      .enum(["graded_wallet_fills"])
      .meta({ description: "All recorded activity of the trader, at any size." }),
    canonical_category: z.string().meta({ description: "Name of the category.", example: "Politics" }),
    as_of: instant("Time at which the record was computed, UTC.", "2026-11-20T12:00:00.000Z"),
    source_last_success_at: sourceLastSuccess,
    observation_started_at: instant(
      "First recorded fill of the trader in the category, UTC.",
      "2026-03-02T09:14:05.000Z",
    ),
    latest_observation_at: z.iso.datetime().nullable().meta({
      description: "Last recorded fill of the trader in the category, UTC; null when unknown.",
      example: "2026-11-19T21:40:11.000Z",
    }),
    independent_event_count: count("Events with a settled purchase. All markets of an event count as one.", 48),
    resolved_condition_count: count("Markets with a settled purchase.", 61),
    unresolved_observation_count: count("Outcomes bought in markets that have not resolved.", 5),
    edge_mean: figure(
      "Mean over events of payout minus price paid, in dollars per share, weighted by dollars within an " +
        "event. 0.02 means that purchases won two percentage points more often than their prices implied.",
      0.0214,
    ),
    edge_sd: figure("Sample standard deviation of the edge over events, in dollars per share.", 0.1803),
    edge_se: figure("Standard error of edge_mean, in dollars per share.", 0.026),
    edge_lower_95: figure(
      "Lower bound of the 95 % confidence interval of edge_mean (Student's t), in dollars per share.",
      -0.031,
    ),
    brier_event_avg: figure(
      "Brier score: mean over events of the squared difference between average purchase price and payout, " +
        "0 to 1. Lower is better; even odds give 0.25.",
      0.2118,
    ),
  })
  .meta({ id: "CategorySkillV2", description: "The trader's skill in one category, with its uncertainty." });

export const CategorySkillModelReadiness = z
  .object({
    status,
    model_version: modelVersion,
    taxonomy_version: z.string().meta(TAXONOMY),
    observation_started_at: instant(
      "First recorded fill of the trader in any category, UTC.",
      "2026-02-11T17:02:44.000Z",
    ),
    as_of: instant("Time at which the records were computed, UTC.", "2026-11-20T12:00:00.000Z"),
    source_last_success_at: sourceLastSuccess,
  })
  .meta({
    id: "CategorySkillModelReadiness",
    description: "Readiness of the records of all categories; `status` is the best status among them.",
  });
