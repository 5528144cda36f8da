import { z } from "zod";
import { TERMINAL_REASONS } from "../../scoring/edge/terminal-reasons.ts";

/** The sports of the board, in the order of the funnel. Source: the contract. */
export const EDGE_SPORTS = [
  "Basketball",
  "Football",
  "Baseball",
  "Hockey",
  "MMA",
  "Boxing",
  "Soccer",
  "Cricket",
  "Golf",
  "Tennis",
  "Esports",
  "Racing",
  "Table Tennis",
  "Pickleball",
] as const;

export type EdgeSport = (typeof EDGE_SPORTS)[number];

/** The provider's market types that the board has: the winner of the game, and the handicap. */
export const EDGE_MARKET_TYPES = ["moneyline", "spreads"] as const;

/**
 * Number of markets whose holders are scanned for the board: live games first, then by kickoff. More would not be
 * scanned often enough with the provider's rate limit.
 */
export const EDGE_SCAN_MARKETS = 120;
/** How often they are scanned: often enough for `DIRECTION_MAX_AGE_MS` of src/scoring/edge. */
export const EDGE_RESCAN_SECONDS = 150;

/** Games are on the board from this long before their kickoff, and until this long after it. */
export const BOARD_AHEAD_HOURS = 72;
export const BOARD_BEHIND_HOURS = 12;

/** A pre-game snapshot is rebuilt at this age; a partial one at the second. */
export const PRE_GAME_REBUILD_SECONDS = 180;
export const PARTIAL_REBUILD_SECONDS = 30;

/** A snapshot of games before kickoff that is older than this is served as degraded: its rebuild is late. */
export const PRE_GAME_LATE_SECONDS = 300;
/** A snapshot of live games that is older than this shows no rows. */
export const IN_PLAY_MAX_AGE_SECONDS = 30;
/** An older snapshot is not served at all. */
export const EDGE_MAX_AGE_SECONDS = 900;

/** Names of the two lists in `list_generations`. */
export const EDGE_LISTS = { pre_game: "edge:pre_game", in_play: "edge:in_play" } as const;

/** The groups of rows within the lists. Emerging piles are marked rows of `wider_holder`. */
export const EDGE_COHORTS = ["signal", "wider_holder", "in_play"] as const;

export type EdgeCohort = (typeof EDGE_COHORTS)[number];

export const BOARD_STATUSES = ["not_configured", "available", "capacity_limited", "source_unavailable"] as const;

const count = z.number().int().min(0);

/** The funnel of one sport: `SportFunnel` of src/scoring/edge, with the state of the sport's board. */
export const StoredSportFunnel = z.object({
  sport: z.enum(EDGE_SPORTS),
  board_input: count,
  live_available: z.boolean(),
  upcoming_status: z.enum(BOARD_STATUSES),
  input: count,
  terminals: z.partialRecord(z.enum(TERMINAL_REASONS), count),
});

/** The `detail` of a generation of either list. */
export const StoredEdgeSnapshot = z.object({
  is_degraded: z.boolean(),
  /** Every sport of the board, in its order. */
  funnel: z.array(StoredSportFunnel),
  /** When the newest profile with category skill was computed, ISO; null without one. */
  skill_as_of: z.string().nullable(),
});

export type StoredEdgeSnapshot = z.output<typeof StoredEdgeSnapshot>;

const micro = z.string().regex(/^\d+$/).transform(BigInt);
const figure = z.number().nullable();

/** `PileSkill` of src/scoring/edge. Times are ISO. */
export const StoredPileSkill = z.object({
  status: z.enum(["live", "insufficient", "stale", "unknown", "degraded"]),
  /** The first recorded fill of any holder, and the oldest of the records; null while none is known. */
  observation_started_at: z.string().nullable(),
  as_of: z.string().nullable(),
  eligible_holders: count,
  covered_holders: count,
  covered_micro: micro,
  coverage: figure,
  edge_mean: figure,
  lower_mean: figure,
  specialist_micro: micro,
  specialist_share: figure,
  largest_share: figure,
  minimum_events: figure,
});

export type StoredPileSkill = z.output<typeof StoredPileSkill>;

/** The `pile` column of `edge_entries`: `PileFigures` of src/scoring/edge, with the market as it was then. */
export const StoredPile = z.object({
  outcome_index: z.literal([0, 1]),
  outcome_label: z.string().nullable(),
  token_id: z.string(),
  title: z.string().nullable(),
  raw_category: z.string().nullable(),
  event_slug: z.string().nullable(),
  /** The provider's ids of the market's event and of the game's main event, where that is another one. */
  event_id: z.string().nullable(),
  parent_event_id: z.string().nullable(),
  /** Price of the piled outcome, in millionths of a dollar. */
  price_micro: micro,
  volume_usd: z.string().nullable(),
  side_share: z.number(),
  pile_share: z.number(),
  backed_micro: micro,
  backing_micro: micro,
  s_count: count,
  a_count: count,
  b_count: count,
  top_grade: z.enum(["S", "A", "B"]),
  rank_score: z.number(),
  /** ISO. */
  scanned_at: z.string(),
  /** Whether the last attempt to scan the holders was complete. */
  is_scan_complete: z.boolean(),
  /** Null where the scan is too old for them. */
  one_way: z.object({ holders: count, hedged_holders: count, micro }).nullable(),
  /** Net large trades of graded traders in 24 hours: toward the piled side or away from it; null without any. */
  net_side: z.enum(["BUY", "SELL"]).nullable(),
  /** Only of signals. */
  skill: StoredPileSkill.nullable(),
});

export type StoredPile = z.output<typeof StoredPile>;
