import { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { defineOperation } from "../../api/operation.ts";
import { findGame } from "../../queries/games/find-game.ts";
import { presentGame, presentGamesCoverage } from "./present-game.ts";
import { catalogAsOf, Game } from "./schemas.ts";

export const getGame = defineOperation({
  kind: "single",
  id: "getGame",
  method: "get",
  path: "/api/v1/games/{event_slug}",
  tag: "Games",
  summary: "Get one sports game.",
  description:
    "Returns one game as in the list, also after it has left the list. An event that is not a game of a covered " +
    "sport is 404.",
  access: "key",
  scope: "read",
  plan: "pro",
  cost: 1,
  params: {
    event_slug: z
      .string()
      .min(1)
      .max(200)
      .meta({ description: "The slug of the game's event. Case is ignored.", example: "nba-mil-bos-2026-11-20" }),
  },
  query: {},
  reasons: ["not_found", "read_model_warming"],
  conditional: true,
  cacheSeconds: 2,
  mcpTool: "get_game",
  object: "game",
  data: Game,
  topLevel: { as_of: catalogAsOf },
  async handle({ params }, { db, now, config }) {
    const { game, board } = await findGame(db, params.event_slug, now);
    if (game === null) {
      // Before the first complete read of the board nothing says that the game is not covered.
      if (presentGamesCoverage(board, now) === null) throw new ApiError("read_model_warming");
      throw new ApiError("not_found", {
        param: "event_slug",
        message: "No covered game has this event slug. GET /api/v1/games lists the games.",
      });
    }
    return {
      data: presentGame(game, { board, now, webBaseUrl: config.webBaseUrl }),
      topLevel: { as_of: now.toISOString() },
    };
  },
});
