import { hasShare, pileOf, type GradedHolder, type HolderPile, type SidePrices } from "./holder-pile.ts";
import {
  DIRECTION_MAX_AGE_MS,
  EMERGING_CUTOFF_MS,
  EMERGING_MIN_PERCENT,
  HORIZON_HOURS,
  LIVE_FRAME_MAX_AGE_MS,
  SCAN_MAX_AGE_MS,
  SIGNAL_MIN_MICRO,
  SIGNAL_MIN_PERCENT,
  SOURCE_MAX_AGE_MS,
  SPLIT_BELOW_PERCENT,
} from "./parameters.ts";
import type { TerminalReason } from "./terminal-reasons.ts";
import { HOUR_MS } from "../utc-calendar.ts";

/** Which games a snapshot judges: those that have not begun, or those that are live. */
export type EdgeSnapshotKind = "pre_game" | "in_play";

/** A market's game as the provider described it. Times are milliseconds since the epoch. */
export interface BoardGame {
  readonly kickoffMs: number;
  readonly isLive: boolean;
  /** Ended, postponed, cancelled or abandoned. */
  readonly isOff: boolean;
  readonly readAtMs: number;
  /** When the last score frame arrived; null before the first. */
  readonly frameAtMs: number | null;
}

/** A stored market of a game. */
export interface BoardMarket {
  readonly isResolved: boolean;
  readonly isClosed: boolean;
  /** The provider has described it, and it has the outcomes YES and NO. */
  readonly isBinary: boolean;
  readonly hasTokens: boolean;
  /** It has a title and a volume of at least one cent, which an observation shows. */
  readonly isPresentable: boolean;
  readonly prices: SidePrices;
  readonly scan: HolderScan;
}

/** The state of the scan of a market's holders. */
export interface HolderScan {
  /** When the last complete scan was read, milliseconds since the epoch; null before the first. */
  readonly readAtMs: number | null;
  /** Whether the last attempt was incomplete. */
  readonly hasFailed: boolean;
  /** Whether the market is within the number of markets that are scanned. */
  readonly isScheduled: boolean;
}

/** Where a market ended, with its pile where it was emitted. `isEmerging` is false unless it is a wider holder's. */
export type MarketVerdict =
  | {
      readonly reason: EmittedReason;
      readonly pile: HolderPile;
      readonly isEmerging: boolean;
      /** Whether the scan is recent enough for the one-way figures. */
      readonly isDirectional: boolean;
    }
  | { readonly reason: Exclude<TerminalReason, EmittedReason>; readonly pile: null };

export type EmittedReason = "primary_slate_candidate" | "wider_holder_emitted" | "in_play_emitted";

/** The graded traders of the last complete scan. */
export interface ScannedHolders {
  /** All of them, whatever their grade is now. */
  readonly indexed: number;
  /** Those now graded S, A or B. */
  readonly graded: readonly GradedHolder[];
}

const ended = (reason: Exclude<TerminalReason, EmittedReason>): MarketVerdict => ({ reason, pile: null });

/**
 * Why a market ends before its holders matter; null when its holders decide.
 *
 * @param market null for a game without a stored market
 */
export function screenMarket(
  kind: EdgeSnapshotKind,
  game: BoardGame,
  market: BoardMarket | null,
  nowMs: number,
): Exclude<TerminalReason, EmittedReason> | null {
  if (market === null) return "missing_stored_market";
  if (market.isResolved) return "resolved";
  if (market.isClosed) return "provider_closed";
  if (game.isOff) return "provider_excluded";
  if (!market.isBinary) return "invalid_market";
  if (!market.hasTokens) return "missing_token";
  if (nowMs - game.readAtMs > SOURCE_MAX_AGE_MS) return "board_source_unavailable";
  return (
    (kind === "pre_game" ? screenKickoff(game, nowMs) : screenFrame(game, nowMs)) ?? screenScan(market.scan, nowMs)
  );
}

function screenKickoff({ kickoffMs, isLive }: BoardGame, nowMs: number): "outside_horizon" | null {
  const isUpcoming = !isLive && kickoffMs > nowMs && kickoffMs <= nowMs + HORIZON_HOURS * HOUR_MS;
  return isUpcoming ? null : "outside_horizon";
}

function screenFrame(
  { isLive, frameAtMs }: BoardGame,
  nowMs: number,
): "not_provider_live" | "in_play_stale_observed" | null {
  if (!isLive) return "not_provider_live";
  return frameAtMs === null || nowMs - frameAtMs > LIVE_FRAME_MAX_AGE_MS ? "in_play_stale_observed" : null;
}

function screenScan({ readAtMs, hasFailed, isScheduled }: HolderScan, nowMs: number) {
  if (readAtMs !== null && nowMs - readAtMs <= SCAN_MAX_AGE_MS) return null;
  if (hasFailed) return "holder_scan_incomplete";
  if (!isScheduled) return "capacity_limited";
  return readAtMs === null ? "holder_deadline_unavailable" : "provider_unavailable";
}

/** Where a market of the board ends in a snapshot: exactly one reason for every input. */
export function judgeMarket(
  kind: EdgeSnapshotKind,
  game: BoardGame,
  market: BoardMarket | null,
  holders: ScannedHolders,
  nowMs: number,
): MarketVerdict {
  const screened = screenMarket(kind, game, market, nowMs);
  if (screened !== null || market === null) return ended(screened ?? "missing_stored_market");
  if (holders.indexed === 0) return ended("zero_indexed_holder_research");
  if (holders.graded.length === 0) return ended("no_current_graded_holder");
  const pile = pileOf(holders.graded, market.prices);
  if (pile === "unpriced") return ended("price_unavailable");
  if (pile === "even" || !hasShare(pile, SPLIT_BELOW_PERCENT)) return ended("split_holder_pile");
  const isDirectional = market.scan.readAtMs !== null && nowMs - market.scan.readAtMs <= DIRECTION_MAX_AGE_MS;
  if (kind === "in_play") {
    if (!isDirectional) return ended("in_play_directional_unavailable");
    if (!market.isPresentable) return ended("invalid_market");
    return { reason: "in_play_emitted", pile, isEmerging: false, isDirectional };
  }
  if (hasShare(pile, SIGNAL_MIN_PERCENT) && pile.sidesMicro[pile.outcomeIndex] >= SIGNAL_MIN_MICRO)
    return { reason: "primary_slate_candidate", pile, isEmerging: false, isDirectional };
  if (!market.isPresentable) return ended("invalid_market");
  const isEmerging =
    hasShare(pile, EMERGING_MIN_PERCENT) &&
    !hasShare(pile, SIGNAL_MIN_PERCENT) &&
    !market.scan.hasFailed &&
    game.kickoffMs - nowMs >= EMERGING_CUTOFF_MS;
  return { reason: "wider_holder_emitted", pile, isEmerging, isDirectional };
}
