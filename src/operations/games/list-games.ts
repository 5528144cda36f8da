import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { instantParam, limitParam, listedTextParam, textParam } from "../../api/request/query-params.ts";
import { normalizeSport } from "../../domain/games/game-board.ts";
import { GAME_STATES } from "../../domain/games/game-state.ts";
import { listGames as listRows, type GamePosition } from "../../queries/games/list-games.ts";
import { presentGame, presentGamesCoverage } from "./present-game.ts";
import { catalogAsOf, Game, GamesCoverage } from "./schemas.ts";

/** The last game of a page: rank 0 by its kickoff, rank 1 without one. */
const Position = z.object({
  v: z.literal(1),
  rank: z.union([z.literal(0), z.literal(1)]),
  at_ms: z.number().int().nullable(),
  slug: z.string(),
});

export const listGames = defineOperation({
  kind: "list",
  id: "listGames",
  method: "get",
  path: "/api/v1/games",
  tag: "Games",
  summary: "List sports games by kickoff.",
  description:
    "Games that are open for trading, in play, or over for less than 48 hours, ordered by kickoff and slug; games " +
    "without a known kickoff come last. `coverage` says which sports and leagues this deployment has. A cursor is " +
    "a position, not a snapshot: a game that is moved may appear twice or be missed.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 2,
  params: {},
  query: {
    sport: textParam().meta({
      description:
        "Only this sport, as in `coverage.sports`. Case is ignored, and - and _ read as a space. An unknown name " +
        "returns an empty list. All sports when left out.",
      example: "Basketball",
    }),
    league: textParam().meta({
      description: "Only this league, as in `coverage.leagues`. All leagues when left out.",
      example: "nba",
    }),
    status: listedTextParam(GAME_STATES).meta({
      description: "Only games in this state. Another value returns an empty list. All states when left out.",
      example: "live",
    }),
    starts_after: instantParam().meta({
      description: "Only games whose kickoff is known and not before this time.",
      example: "2026-11-20T12:00:00Z",
    }),
    starts_before: instantParam().meta({
      description: "Only games whose kickoff is known and not after this time. Not before `starts_after`.",
      example: "2026-11-21T12:00:00Z",
    }),
    limit: limitParam({ max: 100, default: 20 }),
  },
  reasons: ["invalid_query", "cursor_expired", "read_model_warming"],
  conditional: true,
  cacheSeconds: 2,
  mcpTool: "list_games",
  item: Game,
  cursor: { prefix: "gms_v1_", position: Position },
  topLevel: { as_of: catalogAsOf, coverage: GamesCoverage },
  async handle({ query, cursor }, { db, now, config }) {
    const { starts_after: startsAfter, starts_before: startsBefore, limit } = query;
    if (startsAfter !== null && startsBefore !== null && startsBefore < startsAfter)
      throw new ApiError("invalid_query", { param: "starts_before", message: "starts_before is before starts_after." });
    const sport = query.sport === null ? null : normalizeSport(query.sport);
    const state = GAME_STATES.find((known) => known === query.status) ?? null;
    const matchesNothing = (query.sport !== null && sport === null) || (query.status !== null && state === null);
    const page = await listRows(
      db,
      { sport, league: query.league?.toLowerCase() ?? null, state, startsAfter, startsBefore },
      {
        cursor: cursor === null ? null : { kickoffMs: cursor.rank === 0 ? cursor.at_ms : null, slug: cursor.slug },
        limit: matchesNothing ? 0 : limit,
      },
      now,
    );
    const coverage = presentGamesCoverage(page.board, now);
    if (coverage === null) throw new ApiError("read_model_warming");
    const rows = matchesNothing ? [] : page.rows.slice(0, limit);
    const last = rows.at(-1)?.position;
    const hasMore = !matchesNothing && page.rows.length > limit && last !== undefined;
    return {
      data: rows.map(({ game }) => presentGame(game, { board: page.board, now, webBaseUrl: config.webBaseUrl })),
      next: hasMore ? positionOf(last) : null,
      topLevel: { as_of: now.toISOString(), coverage },
    };
  },
});

const positionOf = ({ kickoffMs, slug }: GamePosition): z.input<typeof Position> => ({
  v: 1,
  rank: kickoffMs === null ? 1 : 0,
  at_ms: kickoffMs,
  slug,
});
