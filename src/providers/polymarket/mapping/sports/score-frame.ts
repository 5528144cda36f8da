import type { ProviderScoreFrame } from "../../../../platform/provider.ts";
import type { GameFrame } from "../../payloads/sports/game-frame.ts";

/** @returns null when the frame names no game; its schema excludes that */
export function toScoreFrame(frame: GameFrame): ProviderScoreFrame | null {
  const gameId = frame.gameId ?? frame.metadataGameId;
  if (gameId === null) return null;
  const { slug, homeTeam, awayTeam, status, score, period, elapsed, live, ended, eventState } = frame;
  return {
    gameId,
    slug,
    league: frame.leagueAbbreviation,
    homeTeam,
    awayTeam,
    status,
    score,
    period,
    elapsed,
    live,
    ended,
    finishedAt: frame.finishedTimestamp,
    sourceAt: eventState?.updatedAt ?? eventState?.createdAt ?? null,
  };
}
