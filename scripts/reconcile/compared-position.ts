import type { ProviderPosition } from "./recording-facts.ts";

/** Why the figures of a position differ or agree. Only the first two are agreement. */
export const REASONS = [
  "agrees",
  "provider rounding",
  "missing history",
  "transfer",
  "split/merge",
  "conversion",
  "unknown",
  "not comparable",
] as const;

export type Reason = (typeof REASONS)[number];

/** One figure of a position, ours and the provider's, in micro-dollars. */
export interface ComparedFigure {
  readonly name: "realized" | "unrealized";
  readonly oursMicro: bigint;
  readonly theirsMicro: bigint;
  /** Ours less theirs. */
  readonly differenceMicro: bigint;
  /** The difference that the provider's rounding can explain, at least a cent. */
  readonly allowedMicro: bigint;
  /**
   * Theirs less the result of the provider's own arithmetic on the same fills: within its printed step when
   * rounding explains everything.
   */
  readonly unexplainedMicro: bigint;
}

/** Shares of a position, ours from the recorded fills and the provider's as printed. */
export interface ComparedHistory {
  readonly movements: number;
  readonly boughtMicro: bigint;
  readonly theirBoughtMicro: bigint;
  /** After redemption, where the market has paid. */
  readonly openSharesMicro: bigint;
  readonly theirOpenSharesMicro: bigint;
  /** Whether recorded entries cover exactly the shares that the provider counts. */
  readonly isComplete: boolean;
}

export interface ComparedPosition {
  readonly position: ProviderPosition;
  readonly history: ComparedHistory;
  /** Empty when no fill of the position is recorded. */
  readonly figures: readonly ComparedFigure[];
  /** Average price in the provider's own arithmetic; null without fills. */
  readonly replayedAverageMicro: bigint | null;
  readonly reason: Reason;
  readonly why: string;
}

export const CENT_MICRO = 10_000n;

export const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);
