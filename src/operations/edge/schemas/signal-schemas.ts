import { z } from "zod";
import { conditionId, nullableTitle } from "../../shared-fields.ts";
import {
  backedUsd,
  backingScore,
  count,
  dollars,
  fraction,
  gameSlug,
  gradeCounts,
  hedgedHolders,
  instant,
  oneWayHolders,
  oneWayShare,
  oneWayUsd,
  orNull,
  otherName,
  pileOutcomeIndex,
  pileShare,
  pileTokenId,
  rankScore,
  rawCategory,
  sideLabel,
  sideShare,
} from "./pile-fields.ts";

const SCAN_AGE = "when the holders were read more than three minutes before the snapshot";
const UNCOVERED = "while no holder is covered";
const WORTHLESS = "when the pile is worth nothing";
const edge = (description: string, example: number) =>
  z
    .number()
    .min(-1)
    .max(1)
    .meta({ description: `${description}, in dollars per share.`, example });

export const SKILL_STATUSES = ["live", "insufficient", "stale", "unknown", "degraded"] as const;

export const SKILL_CONSTANTS = {
  platform: z.literal("polymarket").meta({ description: "The provider of the markets.", example: "polymarket" }),
  scope: z.enum(["observed_goldsky_primary_taker_fill"]).meta({
    description: "A constant of the format. The figures count all recorded purchases of the holders.",
    example: "observed_goldsky_primary_taker_fill",
  }),
  source_coverage: z.enum(["graded_wallet_fills"]).meta({
    description: "The figures use the recorded activity of graded traders, at any size.",
    example: "graded_wallet_fills",
  }),
};

export const PreGameSideCategorySkill = z
  .object({
    status: z.enum(SKILL_STATUSES).meta({
      description:
        "live: at least one holder is covered. stale: the records are more than six hours old. degraded: settled " +
        "bets are not counted yet. insufficient: too few events. unknown: no holder has a record.",
      example: "live",
    }),
    model_version: z.string().meta({ description: "Version of the figure definitions.", example: "category-skill-3" }),
    taxonomy_version: z
      .string()
      .nullable()
      .meta({ description: "Version of the category map; null when not recorded.", example: "categories-1" }),
    ...SKILL_CONSTANTS,
    observation_started_at: instant(
      "First recorded fill of any holder of the pile, or the snapshot's time when no fill is recorded",
    ),
    as_of: instant("Time of the oldest record that is used, or the snapshot's time when there is no record"),
    canonical_category: z
      .string()
      .nullable()
      .meta({ description: "The sport whose records are used; null when none is.", example: "Soccer" }),
    eligible_holders: count("Holders of the pile.", 3),
    covered_holders: count("Holders of the pile with a live record in the sport.", 2),
    backed_sharp_usd: orNull(dollars("Value of the pile", 7_500), "when unknown"),
    covered_backed_usd: orNull(dollars("Value of the net shares of the covered holders", 7_000), UNCOVERED),
    coverage_pct: orNull(fraction("Share of the pile's dollars that is of covered holders", 0.9333), WORTHLESS),
    weighted_edge_mean: orNull(
      edge("Mean edge of the covered holders in the sport, weighted by their dollars", 0.0214),
      UNCOVERED,
    ),
    weighted_holder_lower_mean: orNull(
      edge("Mean of the lower 95 % bounds of their edges, weighted by their dollars", -0.011),
      UNCOVERED,
    ),
    specialist_backed_usd: orNull(
      dollars("Value of the net shares of covered holders whose lower bound is above 0", 4_000),
      UNCOVERED,
    ),
    specialist_backed_usd_pct: orNull(fraction("Share of the pile's dollars that is of those", 0.5333), UNCOVERED),
    largest_holder_backed_usd_pct: orNull(fraction("Share of the pile's largest holder", 0.5333), WORTHLESS),
    minimum_holder_event_count: orNull(count("Fewest independent events of a covered holder.", 14), UNCOVERED),
  })
  .meta({
    id: "PreGameSideCategorySkill",
    description: "How the holders of the pile have done in the sport. It never changes the ranking.",
  });

export const PreGameSide = z
  .object({
    side: sideLabel,
    ranked_at: instant("When the snapshot was built"),
    backing_score: backingScore,
    side_share: orNull(sideShare, "when unknown"),
    condition_id: conditionId,
    signal_created_at: otherName(instant(""), "ranked_at"),
    token_id: orNull(pileTokenId, "while unknown"),
    category: z.string().nullable().meta({ description: "The sport; null when unknown.", example: "Soccer" }),
    raw_category: rawCategory,
    title: nullableTitle,
    event_slug: gameSlug,
    game_start_time: orNull(
      instant("Scheduled kickoff. It was in the future when the snapshot was built"),
      "when unknown",
    ),
    piled_side: otherName(sideLabel, "side"),
    piled_outcome_index: pileOutcomeIndex,
    sharp_pct: orNull(pileShare, "when unknown"),
    backed_sharp_usd: backedUsd,
    ...gradeCounts,
    graded_holders: count("Holders of the pile: the sum of the three counts.", 3),
    top_grade: z
      .enum(["S", "A", "B"])
      .nullable()
      .meta({ description: "The best grade in the pile; null when unknown.", example: "S" }),
    smart_score: otherName(orNull(sideShare, "when unknown"), "side_share"),
    volume: orNull(dollars("Volume of the market, as the provider counts it", 125_000.5), "while unknown"),
    net_side: z
      .enum(["BUY", "SELL"])
      .nullable()
      .meta({
        description:
          "BUY when graded traders' large trades of 24 hours go toward the side on balance, SELL when they go away " +
          "from it; null without such trades.",
        example: "BUY",
      }),
    conviction_score: otherName(backingScore, "backing_score"),
    one_way_holder_count: orNull(oneWayHolders, SCAN_AGE),
    hedged_holder_count: orNull(hedgedHolders, SCAN_AGE),
    one_way_graded_usd: orNull(oneWayUsd, SCAN_AGE),
    directional_confidence: orNull(oneWayShare, SCAN_AGE),
    directional_rank_score: rankScore,
    category_skill: PreGameSideCategorySkill,
    rank: z.int().min(1).meta({ description: "Position in the list, from 1.", example: 1 }),
  })
  .meta({
    id: "PreGameSide",
    description: "The side of a sports market that graded traders hold before the game begins.",
  });

const statusCount = (status: string) => count(`Listed signals whose category skill is ${status}.`, 1);

/** Fields of `meta` of every list of signals. */
export const SIGNAL_META = {
  directional_source: z.enum(["live", "degraded"]).meta({
    description: "degraded when a part of the board or its holders could not be read, or a rebuild is late.",
    example: "live",
  }),
  ranking_source: z.enum(["live", "db_only"]).meta({
    description: "db_only when the newest snapshot is older than five minutes, because its rebuild is late.",
    example: "live",
  }),
  category_skill_source: z.enum(["live", "partial", "degraded", "unavailable"]).meta({
    description:
      "Category skill of all listed signals, on all pages. live: every one has it. partial: some have. " +
      "unavailable: none has. degraded: the records are not updated.",
    example: "live",
  }),
  category_skill_model_version: z
    .string()
    .meta({ description: "Version of the figure definitions.", example: "category-skill-3" }),
  category_skill_taxonomy_version: z
    .string()
    .meta({ description: "Version of the category map.", example: "categories-1" }),
  category_skill_platform: SKILL_CONSTANTS.platform,
  category_skill_scope: SKILL_CONSTANTS.scope,
  category_skill_source_coverage: SKILL_CONSTANTS.source_coverage,
  category_skill_model_operationally_degraded: z.boolean().meta({
    description: "Whether no trader's record was computed in the six hours before the snapshot.",
    example: false,
  }),
  category_skill_status_counts: z
    .object({
      live: statusCount("live"),
      insufficient: statusCount("insufficient"),
      stale: statusCount("stale"),
      unknown: statusCount("unknown"),
      degraded: statusCount("degraded"),
    })
    .meta({ description: "Number of listed signals, on all pages, by the status of their category skill." }),
  category_skill_base_payload_hash: z.string().meta({
    description:
      "SHA-256, in hex, of the JSON text of this page's `data` before category skill was added: without spaces, " +
      "fields in the order of the response.",
    example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  }),
  category_skill_enriched_base_payload_hash: z.string().meta({
    description:
      "The same hash of `data` as sent, with `category_skill` removed from each row. Equal hashes show that " +
      "category skill changed nothing else.",
    example: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  }),
};
