import { z } from "zod";

const status = z.enum(["live", "insufficient", "stale", "unknown", "degraded"]).meta({
  description:
    "live: computed in the last six hours. insufficient: too few independent events, figures withheld. stale: as of an earlier time. degraded: bets have settled that are not counted yet, figures withheld. unknown is never sent: such a record is left out.",
});
const figure = (description: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `${description} Null while withheld.` });
const modelVersion = z.string().meta({ description: "Version of the definitions." });
const sourceLastSuccess = z.iso.datetime().nullable().meta({ description: "When the wallet's activity was last read to its end." });

export const CategorySkillV2 = z
  .object({
    status,
    model_version: modelVersion,
    taxonomy_version: z.string().nullable().meta({ description: "Version of the map from tags to categories." }),
    platform: z.literal("polymarket"),
    scope: z.enum(["observed_goldsky_primary_taker_fill"]).meta({
      description: "A constant of the format. Counted are all recorded purchases of the wallet, those of its resting orders too.",
    }),
    source_coverage: z.enum(["graded_wallet_fills"]).meta({ description: "The wallet's whole recorded activity, at any size." }),
    canonical_category: z.string(),
    as_of: z.iso.datetime().meta({ description: "When it was computed." }),
    source_last_success_at: sourceLastSuccess,
    observation_started_at: z.iso.datetime().meta({ description: "The wallet's first recorded fill in the category." }),
    latest_observation_at: z.iso.datetime().nullable().meta({ description: "Its last." }),
    independent_event_count: z.int().min(0).meta({ description: "Events with a settled purchase; all markets of an event are one." }),
    resolved_condition_count: z.int().min(0).meta({ description: "Markets with a settled purchase." }),
    unresolved_observation_count: z.int().min(0).meta({ description: "Outcomes bought in markets that have not resolved." }),
    edge_mean: figure(
      "Mean over events of payout less price paid, weighted by dollars within an event: 0.02 is won two points more often than the prices said.",
    ),
    edge_sd: figure("Its sample deviation over events."),
    edge_se: figure("Its standard error."),
    edge_lower_95: figure("Lower end of its 95 % interval, by Student's t."),
    brier_event_avg: figure(
      "Mean over events of the squared distance between average purchase price and payout, 0 to 1; lower is better, 0.25 is what even odds give.",
    ),
  })
  .meta({ id: "CategorySkillV2" });

export const CategorySkillModelReadiness = z
  .object({
    status,
    model_version: modelVersion,
    taxonomy_version: z.string(),
    observation_started_at: z.iso.datetime().meta({ description: "The wallet's first recorded fill in any category." }),
    as_of: z.iso.datetime().meta({ description: "When the records were computed." }),
    source_last_success_at: sourceLastSuccess,
  })
  .meta({ id: "CategorySkillModelReadiness", description: "The records together: live when any is." });
