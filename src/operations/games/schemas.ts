import { z } from "zod";
import { GAME_STATES } from "../../domain/games/game-state.ts";
import { MATCH_STATUSES } from "../../domain/games/match-status.ts";
import { conditionId, marketId, optionalSlug } from "../shared-fields.ts";

const instant = z.iso.datetime();

const GameStatus = z
  .object({
    state: z.enum(GAME_STATES).meta({
      description:
        "State of the game by the provider's own word. paused is halftime or another break. A game whose kickoff " +
        "has passed is not live for that alone: an hour after its kickoff, without a sign of play, it is unknown.",
      example: "live",
    }),
    match_status: z.enum(MATCH_STATUSES).optional().meta({
      description: "The provider's status, normalised; left out while there is none.",
      example: "in_progress",
    }),
    provider_status: z
      .string()
      .optional()
      .meta({ description: "The provider's status as sent; left out while there is none.", example: "InProgress" }),
    period: z
      .string()
      .optional()
      .meta({ description: "The provider's label of the current part; left out while unknown.", example: "3Q" }),
    clock: z
      .string()
      .optional()
      .meta({ description: "The game clock as the provider writes it; left out while unknown.", example: "5:18" }),
    live: z
      .boolean()
      .optional()
      .meta({ description: "The provider's in-play flag; left out before the first score.", example: true }),
    ended: z.boolean().meta({ description: "Whether the game is over.", example: false }),
  })
  .meta({ id: "GameStatus", description: "What the provider says about the course of a game." });

const GameCompetitor = z
  .object({
    name: z.string().meta({ description: "Name of the team or player.", example: "Boston Celtics" }),
    provider_id: z
      .string()
      .optional()
      .meta({ description: "The provider's id within the league; left out when there is none.", example: "2" }),
    logo: z
      .string()
      .optional()
      .meta({ description: "URL of the logo; left out when there is none.", example: "https://example.com/bos.png" }),
    score: z
      .string()
      .optional()
      .meta({
        description:
          "Points; the games of each set, such as `6(3), 6, 2` with tie-break points in brackets; or the maps won. " +
          "Left out while the score is unknown, or where the provider does not say whose number it is.",
        example: "88",
      }),
    record: z
      .string()
      .optional()
      .meta({ description: "Record of the season; left out when there is none.", example: "12-4" }),
  })
  .meta({ id: "GameCompetitor", description: "One side of a game." });

const provenance = z.enum(["provider_ids", "exact_labels", "containment_labels", "elimination"]).meta({
  id: "GameMarketPriceBindingProvenance",
  description: "How the outcomes of the market were bound to the sides of the game.",
  example: "exact_labels",
});

const GameMarketPriceCompetitor = z
  .object({
    provider_id: z
      .int()
      .optional()
      .meta({ description: "The side's id at the provider; left out when there is none.", example: 2 }),
    label: z.string().meta({ description: "Label of the side's outcome.", example: "Celtics" }),
    price: z.number().min(0).max(1).meta({ description: "Dollars per share, 0 to 1, not rounded.", example: 0.625 }),
    price_provenance: z.enum(["gamma_outcome_prices", "clob_display"]).meta({
      description: "gamma_outcome_prices: the provider's listed price. clob_display: the price of the live order book.",
      example: "gamma_outcome_prices",
    }),
  })
  .meta({ id: "GameMarketPriceCompetitor", description: "The price of one side of a game." });

const binding = {
  competitor_a_is_yes: z.boolean().optional().meta({
    description: "Whether the first outcome pays on the first competitor; left out while unknown.",
    example: true,
  }),
  competitor_a_provider_id: z
    .int()
    .optional()
    .meta({ description: "Id of the first competitor at the provider; left out while unknown.", example: 2 }),
  competitor_b_provider_id: z
    .int()
    .optional()
    .meta({ description: "Id of the second competitor at the provider; left out while unknown.", example: 15 }),
  binding_provenance: provenance.optional(),
};

const GameMarketPricePaired = z
  .object({
    state: z.literal("paired").meta({ description: "Both sides have a price.", example: "paired" }),
    competitor_a: GameMarketPriceCompetitor,
    competitor_b: GameMarketPriceCompetitor,
    competitor_a_is_yes: z
      .boolean()
      .meta({ description: "Whether the first outcome pays on the first competitor.", example: true }),
    binding_provenance: provenance,
  })
  .meta({ id: "GameMarketPricePaired", description: "Prices of both sides, in the order of the competitors." });

const GameMarketPriceIncomplete = z
  .object({
    state: z.literal("incomplete").meta({ description: "A part of the prices is missing.", example: "incomplete" }),
    reason: z
      .enum([
        "outcome_prices_missing",
        "outcome_price_leg_missing",
        "zero_price_sentinel",
        "display_price_pair_unavailable",
        "outcome_identity_unavailable",
        "final_score_unavailable",
      ])
      .meta({ description: "What is missing.", example: "outcome_prices_missing" }),
    ...binding,
  })
  .meta({ id: "GameMarketPriceIncomplete", description: "A market whose prices cannot be paired yet." });

const GameMarketPriceInvalid = z
  .object({
    state: z.literal("invalid").meta({ description: "The provider's data contradict themselves.", example: "invalid" }),
    reason: z
      .enum([
        "team_cardinality",
        "outcome_cardinality",
        "price_cardinality",
        "non_finite_price",
        "out_of_range_price",
        "non_complementary_prices",
        "ambiguous_identity",
        "final_identity_mismatch",
      ])
      .meta({ description: "The contradiction.", example: "ambiguous_identity" }),
    ...binding,
  })
  .meta({ id: "GameMarketPriceInvalid", description: "A market whose prices must not be used." });

const GameMarketPrices = z
  .object({
    provider: z
      .discriminatedUnion("state", [GameMarketPricePaired, GameMarketPriceIncomplete, GameMarketPriceInvalid])
      .meta({
        id: "GameMarketProviderPrices",
        description: "The provider's prices of both sides, or why there are none.",
      }),
    observed_at: instant.nullable().meta({
      description: "Time of the older of both prices, UTC; null while there is no reliable time.",
      example: "2026-11-20T12:00:00.000Z",
    }),
    observation_source: z.enum(["board_snapshot", "clob_display"]).meta({
      description: "Whether `observed_at` is the time of the provider's market object or of its order books.",
      example: "board_snapshot",
    }),
  })
  .meta({ id: "GameMarketPrices", description: "Prices of a moneyline." });

const GameMarket = z
  .object({
    id: marketId,
    condition_id: conditionId,
    platform: z.literal("polymarket").meta({ description: "The provider.", example: "polymarket" }),
    slug: optionalSlug,
    sports_market_type: z.string().optional().meta({
      description: "Type of the market in the provider's terms; left out while unknown.",
      example: "moneyline",
    }),
    side: z.enum(["home", "away", "draw", "other"]).optional().meta({
      description:
        "What the first outcome pays on. home is the first competitor, away the second. Left out when nothing says it.",
      example: "home",
    }),
    outcome_yes: z
      .string()
      .optional()
      .meta({ description: "Label of the first outcome; left out while unknown.", example: "Celtics" }),
    outcome_no: z
      .string()
      .optional()
      .meta({ description: "Label of the second outcome; left out while unknown.", example: "Bucks" }),
    outcome_token_ids: z
      .array(z.string())
      .optional()
      .meta({ description: "Token ids by outcome; left out until they exist.", example: ["1000001", "1000002"] }),
    prices: GameMarketPrices.optional(),
  })
  .meta({ id: "GameMarket", description: "A market of a game." });

const GameFreshness = z
  .object({
    source: z
      .enum(["live", "upcoming"])
      .meta({ description: "The half of the board that the game belongs to: in play, or not.", example: "live" }),
    source_status: z
      .enum(["ok", "unavailable"])
      .meta({ description: "Whether that half was read in the last 600 seconds.", example: "ok" }),
    source_availability: z
      .enum(["available", "unavailable", "not_applicable"])
      .meta({ description: "The same for the game's sport.", example: "available" }),
    source_freshness: z
      .enum(["fresh", "stale", "unknown", "not_applicable"])
      .meta({ description: "fresh until the half is delayed; unknown after 600 seconds.", example: "fresh" }),
    source_observed_at: instant.optional().meta({
      description: "When the half was last read completely, UTC; left out before the first time.",
      example: "2026-11-20T12:00:00.000Z",
    }),
    source_age_seconds: z
      .int()
      .min(0)
      .optional()
      .meta({ description: "Age of that read in seconds; left out above 600.", example: 4 }),
    delayed: z
      .boolean()
      .meta({ description: "Whether the age is above 15 seconds (live) or 120 seconds (upcoming).", example: false }),
    scores_observed_at: instant.optional().meta({
      description: "When the score was last read, UTC; left out before.",
      example: "2026-11-20T12:00:00.000Z",
    }),
    scores_source_at: instant.optional().meta({
      description: "The provider's own time of the score, UTC; left out where it sends none.",
      example: "2026-11-20T11:59:58.000Z",
    }),
  })
  .meta({ id: "GameFreshness", description: "How old the data of a game is." });

const GameCoverage = z
  .object({
    scores: z
      .enum(["available", "unavailable"])
      .meta({ description: "Whether the competitors have scores.", example: "available" }),
    competitors: z.enum(["provider_ids", "labels", "unavailable"]).meta({
      description: "Whether the competitors are known by the provider's ids, by names alone, or not.",
      example: "provider_ids",
    }),
    schedule: z
      .enum(["available", "unavailable"])
      .meta({ description: "Whether the kickoff is known.", example: "available" }),
  })
  .meta({ id: "GameCoverage", description: "Which parts of a game the provider has published." });

export const Game = z
  .object({
    object: z.literal("game").meta({ description: "Always game.", example: "game" }),
    event_slug: z
      .string()
      .meta({ description: "The slug of the game's event, lower case.", example: "nba-mil-bos-2026-11-20" }),
    game_id: z.string().optional().meta({ description: "The provider's id of the game.", example: "1903122" }),
    sport: z.string().optional().meta({ description: "Sport, as in `coverage.sports`.", example: "Basketball" }),
    league: z.string().optional().meta({
      description: "League, as in `coverage.leagues`; left out for a sport that is covered as a whole.",
      example: "nba",
    }),
    title: z
      .string()
      .optional()
      .meta({ description: "Title of the event; left out while unknown.", example: "Bucks vs. Celtics" }),
    scheduled_at: instant.optional().meta({
      description: "Kickoff, UTC. A postponed game keeps its slug. Left out until the provider publishes it.",
      example: "2026-11-20T12:00:00.000Z",
    }),
    status: GameStatus,
    competitors: z
      .array(GameCompetitor)
      .meta({ description: "Home first where there is a home side; empty while they are not known." }),
    series_format: z
      .string()
      .optional()
      .meta({ description: "Esports only: the length of the series; left out elsewhere.", example: "Bo3" }),
    draw_offered: z.boolean().meta({ description: "Whether one of the markets pays on a draw.", example: false }),
    markets: z.array(GameMarket).meta({ description: "Markets of the game, ordered by condition_id." }),
    freshness: GameFreshness,
    coverage: GameCoverage,
    url: z.string().meta({
      description: "Page of the game on the website.",
      example: "https://example.com/games/nba-mil-bos-2026-11-20",
    }),
  })
  .meta({ id: "Game", description: "A sports game with its score and markets." });

export const GamesCoverage = z
  .object({
    sports: z
      .array(z.string())
      .meta({ description: "Sports with games on the board, sorted.", example: ["Basketball"] }),
    leagues: z.array(z.string()).meta({ description: "Leagues with games on the board, sorted.", example: ["nba"] }),
    sources_unavailable: z.array(z.string()).meta({
      description:
        "Halves of the board that were not read in the last 600 seconds, as sport:half; empty when all were.",
      example: [],
    }),
  })
  .meta({ id: "GamesCoverage", description: "What this deployment covers." });

export const catalogAsOf = instant.meta({
  description: "When this response was put together, UTC.",
  example: "2026-11-20T12:00:00.000Z",
});
