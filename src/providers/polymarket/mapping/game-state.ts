import type { GameFrame } from "../payloads/game-frame.ts";

/** Where a game stands. What the provider did not say is null. */
export interface GameState {
  /** The provider's game id, or its `id…` name where it gives no number. Equal to the `gameId` of the game's markets in the first case. */
  readonly gameId: string;
  readonly slug: string | null;
  readonly league: string | null;
  readonly homeTeam: string | null;
  readonly awayTeam: string | null;
  readonly status: string | null;
  /** Shaped by the sport: `2-1`, `6-7(3-7), 6-3, 2-1`, `000-000|0-1|Bo5`. */
  readonly score: string | null;
  readonly period: string | null;
  readonly elapsed: string | null;
  readonly live: boolean | null;
  readonly ended: boolean | null;
  readonly finishedAt: Date | null;
}

/** @returns null when the frame names no game, which its schema has excluded */
export function toGameState(frame: GameFrame): GameState | null {
  const gameId = frame.gameId ?? frame.metadataGameId;
  if (gameId === null) return null;
  const { slug, homeTeam, awayTeam, score, period, elapsed, live, ended } = frame;
  return {
    gameId,
    slug,
    league: frame.leagueAbbreviation,
    homeTeam,
    awayTeam,
    // The provider writes `InProgress`, `inprogress` and `running`.
    status: frame.status?.toLowerCase() ?? null,
    score,
    period,
    elapsed,
    live,
    ended,
    finishedAt: frame.finishedTimestamp,
  };
}
