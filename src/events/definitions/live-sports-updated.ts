import { z } from "zod";
import { defineEvent } from "../define-event.ts";

const competitor = z.object({
  team: z.string().optional().meta({ description: "Short name.", example: "BOS" }),
  full_name: z
    .string()
    .optional()
    .meta({ description: "Full name; omitted when it equals the short name.", example: "Boston Celtics" }),
  score: z.string().optional().meta({ description: "Score in the provider's format.", example: "88" }),
  map_score: z
    .unknown()
    .optional()
    .meta({ description: "Score in the current map, where the game has maps.", example: "13" }),
});

export const liveSportsUpdated = defineEvent({
  type: "live_sports_updated",
  spellings: ["live_sports_updated"],
  frame: "LiveScoreChanged",
  access: "public",
  isLive: true,
  firesWhen:
    "A covered game's score, period or state has changed: at most once per 20 seconds and game, and at start and end.",
  payload: z
    .object({
      event_slug: z.string().meta({
        description: "The game's slug, as the games operations accept it.",
        example: "nba-bos-lal-2026-11-20",
      }),
      game_id: z.string().optional().meta({ description: "The provider's game id.", example: "1903122" }),
      league: z.string().optional().meta({ description: "The game's league.", example: "nba" }),
      version: z
        .int()
        .positive()
        .meta({ description: "Version of the game's state; it increases with every change.", example: 41 }),
      changed: z
        .array(z.string())
        .meta({ description: "Fields that changed since the previous version.", example: ["scores"] }),
      observed_at: z.iso.datetime().meta({
        description: "Time at which the provider reported the change, UTC.",
        example: "2026-11-20T12:00:00.480Z",
      }),
      published_at: z.iso
        .datetime()
        .meta({ description: "Time at which the change was recorded, UTC.", example: "2026-11-20T12:00:01.250Z" }),
      status: z
        .string()
        .optional()
        .meta({ description: "The game's status in the provider's terms.", example: "InProgress" }),
      period: z.string().optional().meta({ description: "The current part of the game.", example: "Q3" }),
      clock: z.string().optional().meta({ description: "The game clock.", example: "04:12" }),
      live: z.boolean().optional().meta({ description: "Whether the game is in progress.", example: true }),
      ended: z.boolean().optional().meta({ description: "Whether the game has ended.", example: false }),
      scores: z
        .array(competitor)
        .optional()
        .meta({
          description: "Current scores, one entry per competitor.",
          example: [{ team: "BOS", full_name: "Boston Celtics", score: "88" }],
        }),
      series_format: z
        .string()
        .optional()
        .meta({ description: "Number of maps or games in the series, such as bo3.", example: "bo3" }),
      snapshot_url: z.string().meta({
        description: "Path of the game's current state. Read it when a version is missing.",
        example: "/api/v1/games/nba-bos-lal-2026-11-20",
      }),
    })
    .meta({ id: "WebhookLiveSportsUpdatedData", description: "A change in a covered game." }),
});
