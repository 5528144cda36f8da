import { parseGameScore } from "../../domain/games/game-score.ts";
import { gameStateOf } from "../../domain/games/game-state.ts";
import type { ProviderGameEvent, ProviderGameState } from "../../platform/provider.ts";
import type { ReceivedFrame } from "./score-frames.ts";
import type { GameRow } from "./stored-game.ts";

/** The socket sends unchanged games again every 20 s; after this silence the provider's events have the score. */
const SOCKET_SILENCE_MS = 60_000;
/** A source without a clock may send frames late. Only after this time does play after the end count as reopened. */
const REOPENS_AFTER_MS = 60_000;

/**
 * Applies a score frame. A frame with an older provider clock than the stored one changes nothing; without a
 * clock the order of arrival decides, so a score may be corrected downwards.
 */
export function mergeScoreFrame(game: GameRow, { frame, receivedAt }: ReceivedFrame): GameRow {
  const { sourceAt } = frame;
  const { scoresSourceAt } = game;
  const isClocked = sourceAt !== null && scoresSourceAt !== null;
  if (isClocked && sourceAt < scoresSourceAt) return game;
  const mayReopen = isClocked ? sourceAt > scoresSourceAt : hasReopened(game, receivedAt);
  if (game.ended === true && frame.ended !== true && !(mayReopen && isInPlay(frame))) return game;
  return mergeState(game, frame, {
    scoresObservedAt: receivedAt,
    scoresSourceAt: sourceAt ?? scoresSourceAt,
    scoresFrom: "socket",
  });
}

/**
 * Applies the state of an event. While the socket speaks of the game, only an end counts: the event may be
 * behind it.
 */
export function mergeEventState(game: GameRow, { state }: ProviderGameEvent, readAt: Date): GameRow {
  const isSilent = [state.status, state.score, state.period, state.live, state.ended].every((value) => value === null);
  if (isSilent) return withState(game);
  const socketSpeaks =
    game.scoresFrom === "socket" &&
    game.scoresObservedAt !== null &&
    readAt.getTime() - game.scoresObservedAt.getTime() < SOCKET_SILENCE_MS;
  if (socketSpeaks && state.ended !== true) return withState(game);
  if (game.ended === true && state.ended !== true && !(hasReopened(game, readAt) && isInPlay(state)))
    return withState(game);
  const observed = state.score === null ? {} : { scoresObservedAt: readAt, scoresFrom: "event" };
  return mergeState(game, state, observed);
}

/** The row with the state that follows from its values. */
function withState(game: GameRow): GameRow {
  return { ...game, state: gameStateOf(game) };
}

/** A value that a source leaves out keeps its last known text, except the clock, which stops between parts. */
function mergeState(game: GameRow, state: ProviderGameState, source: Partial<GameRow>): GameRow {
  const score = state.score ?? game.score;
  const ended = state.ended ?? game.ended;
  return withState({
    ...game,
    ...source,
    providerStatus: state.status ?? game.providerStatus,
    score,
    seriesFormat: seriesFormatOf(score) ?? game.seriesFormat,
    period: state.period ?? game.period,
    clock: state.elapsed,
    live: state.live ?? game.live,
    ended,
    finishedAt: ended === true ? (state.finishedAt ?? game.finishedAt) : null,
  });
}

const seriesFormatOf = (score: string | null): string | null =>
  score === null ? null : (parseGameScore(score)?.seriesFormat ?? null);

const hasReopened = ({ scoresObservedAt }: GameRow, at: Date): boolean =>
  scoresObservedAt === null || at.getTime() - scoresObservedAt.getTime() >= REOPENS_AFTER_MS;

const isInPlay = ({ live, ended }: ProviderGameState): boolean => live === true && ended === false;
