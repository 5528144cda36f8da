import { z } from "zod";
import { EDGE_SPORTS } from "../../../domain/edge/edge-snapshot.ts";
import { TERMINAL_REASONS } from "../../../scoring/edge/terminal-reasons.ts";
import { conditionId } from "../../shared-fields.ts";
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

export const COHORTS = ["wider_holder", "in_play", "emerging_pile"] as const;

const sport = z.enum(EDGE_SPORTS).meta({ description: "The sport.", example: "Soccer" });
const eventId = (description: string) => z.string().nullable().meta({ description, example: "12345" });
const UNREAD = "unless `directional_status` is available";

export const PreGameSideObservation = z
  .object({
    side: sideLabel,
    backing_score: backingScore,
    side_share: sideShare,
    condition_id: conditionId,
    token_id: pileTokenId,
    category: sport,
    raw_category: rawCategory,
    title: z.string().meta({ description: "The market's question.", example: "Arsenal vs. Chelsea" }),
    event_slug: gameSlug,
    event_id: eventId("The provider's id of the market's event; null when it gave none."),
    parent_event_id: eventId(
      "The provider's id of the game's main event; null when that is the market's own event or has no id.",
    ),
    game_start_time: instant("Scheduled kickoff"),
    observed_at: instant("When the snapshot was built"),
    cohort: z.enum(COHORTS).meta({ description: "The requested cohort.", example: "wider_holder" }),
    observation_only: z
      .literal(true)
      .meta({ description: "Always true: a row describes holdings and advises nothing.", example: true }),
    piled_side: otherName(sideLabel, "side"),
    piled_outcome_index: pileOutcomeIndex,
    backed_price: fraction("Price of the outcome with the pile when the snapshot was built, in dollars", 0.53),
    sharp_pct: pileShare,
    backed_sharp_usd: backedUsd,
    ...gradeCounts,
    graded_holders: z
      .int()
      .min(1)
      .meta({ description: "Holders of the pile: the sum of the three counts.", example: 3 }),
    top_grade: z.enum(["S", "A", "B"]).meta({ description: "The best grade in the pile.", example: "S" }),
    smart_score: otherName(sideShare, "side_share"),
    volume: dollars("Volume of the market, as the provider counts it", 125_000.5),
    conviction_score: otherName(backingScore, "backing_score"),
    provider_read_source: z
      .enum(["cached", "live"])
      .meta({ description: "cached: the holders come from the last stored scan.", example: "cached" }),
    holder_scan_complete: z.boolean().meta({
      description:
        "Whether the last attempt to read all holders was complete. When false, the row uses the complete scan before it.",
      example: true,
    }),
    holder_snapshot_at: orNull(instant("When the reading of the holders that the row uses began"), "when unknown"),
    directional_status: z.enum(["available", "unknown_ungrouped", "unknown_stale", "unavailable"]).meta({
      description:
        "available: the holders were read at most three minutes before the snapshot. unknown_stale: they were read " +
        "earlier, so the four fields below are null. The other two values are never sent.",
      example: "available",
    }),
    one_way_holder_count: orNull(oneWayHolders, UNREAD),
    hedged_holder_count: orNull(hedgedHolders, UNREAD),
    one_way_graded_usd: orNull(oneWayUsd, UNREAD),
    directional_confidence: orNull(oneWayShare, UNREAD),
    directional_rank_score: rankScore,
    rank: z.int().min(1).meta({ description: "Position within the snapshot's cohort, from 1.", example: 1 }),
  })
  .meta({
    id: "PreGameSideObservation",
    description: "The side of a sports market that graded traders hold, outside the signals.",
  });

const BOARD_SCOPES = [
  ...(["category", "nfl", "cfb", "nba", "wnba", "nhl", "mls", "valorant", "league-of-legends"] as const),
  ...(["counter-strike-2", "dota-2", "registry", "union", "wave"] as const),
] as const;

export const PreGameSideSportFunnel = z
  .object({
    sport,
    board_input: count("Markets of the sport on the board.", 12),
    board_live_available: z.boolean().meta({
      description: "Whether every live game of the sport had a score frame of the last 30 seconds.",
      example: true,
    }),
    board_upcoming_configured: z.boolean().meta({
      description: "Whether the board has games of the sport. Without any, its state does not apply.",
      example: true,
    }),
    board_upcoming_available: z
      .boolean()
      .meta({ description: "Whether `board_upcoming_status` is available.", example: true }),
    board_upcoming_status: z
      .enum([
        ...(["unknown", "not_configured", "available", "capacity_limited", "source_unavailable"] as const),
        ...(["cold_unavailable", "deadline_unavailable"] as const),
      ])
      .meta({
        description:
          "not_configured: no game of the sport is on the board. capacity_limited: more markets than are scanned. " +
          "source_unavailable: no game was read in the last 30 minutes. The other values but available are never sent.",
        example: "available",
      }),
    board_upcoming_unavailable_scopes: z
      .array(z.enum(BOARD_SCOPES))
      .meta({ description: "`category` when the source is unavailable, else empty.", example: [] }),
    input: count("Markets of the sport, and its games without a stored market.", 12),
    terminals: z.partialRecord(z.enum(TERMINAL_REASONS), count("Inputs that ended so.", 9)).meta({
      description: "Number of inputs by the one reason at which each ended. Reasons without inputs are left out.",
      example: { outside_horizon: 9, split_holder_pile: 2, primary_slate_candidate: 1 },
    }),
    terminal_total: count("Sum of `terminals`.", 12),
    reconciled: z.boolean().meta({ description: "Whether `input` equals `terminal_total`.", example: true }),
  })
  .meta({ id: "PreGameSideSportFunnelReport", description: "Where the markets of one sport ended in a snapshot." });

export const PreGameSideFunnel = z
  .object({ sports: z.array(PreGameSideSportFunnel).meta({ description: "One entry for each sport." }) })
  .meta({
    id: "PreGameSideFunnelReport",
    description: "Where every market of the snapshot ended. The same on all pages, whatever the filters are.",
  });

export const SNAPSHOT_AS_OF = instant("When the snapshot was built. All pages of one walk use the same snapshot");
export const DEGRADED = z.boolean().meta({
  description:
    "Whether some market of the snapshot could not be judged because data is missing or too old, or the " +
    "rebuild of the snapshot is late. Markets beyond the number that is scanned do not count.",
  example: false,
});

/** Fields beside `data` in every list of observations. */
export const OBSERVATION_TOP_LEVEL = { snapshot_as_of: SNAPSHOT_AS_OF, degraded: DEGRADED, funnel: PreGameSideFunnel };
