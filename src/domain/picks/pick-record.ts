import { parseMicro } from "../money.ts";
import type { PickOutcome } from "./pick-outcome.ts";

/** The stake of every pick in dollars, for results in dollars. */
export const STAKE_USD = 1000;
export const STAKE_MICRO = 1_000_000_000n;

const MICRO = 1_000_000n;
/** Averages of closing-line value are shown from this many measured picks on. */
const CLV_MIN_MEASURED = 5;

export type ClosingState = "measured" | "pending" | "unavailable" | "not_applicable";

/** One published pick that was not withdrawn. */
export interface RecordedPick {
  readonly date: string;
  /** Null while pending. */
  readonly outcome: PickOutcome | null;
  /** Entry price, a decimal from 0 to 1; null when none was stored. */
  readonly price: string | null;
  readonly closing: ClosingState;
  /** The last valid price before kickoff; null unless `closing` is measured. */
  readonly closePrice: string | null;
}

/** Gross return of a winning stake in micro-dollars: stake / price, truncated; null without a price. */
export function winReturnMicro(price: string | null, stakeMicro: bigint = STAKE_MICRO): bigint | null {
  const micro = price === null ? null : parseMicro(price);
  return micro === null || micro <= 0n ? null : (stakeMicro * MICRO) / micro;
}

/** Gross return of a settled pick in micro-dollars: null while pending, and for a win without a price. */
export function returnMicro(outcome: PickOutcome | null, price: string | null): bigint | null {
  if (outcome === null) return null;
  return outcome === "win" ? winReturnMicro(price) : outcome === "void" ? STAKE_MICRO : 0n;
}

/** Closing-line value in millionths: close / entry - 1, truncated. */
export function closingLinePpm(price: string, closePrice: string): bigint | null {
  const entry = parseMicro(price);
  const close = parseMicro(closePrice);
  return entry === null || close === null || entry <= 0n ? null : ((close - entry) * MICRO) / entry;
}

export interface SeriesPoint {
  readonly date: string;
  /** Running total in micro-dollars. */
  readonly netMicro: bigint;
  readonly wins: number;
  readonly decided: number;
}

export interface ClosingSummary {
  readonly total: number;
  readonly measured: number;
  readonly pending: number;
  readonly unavailable: number;
  readonly notApplicable: number;
  /** Close above the entry price, and equal to it. */
  readonly beats: number;
  readonly ties: number;
  /** Mean of close / entry - 1 in millionths; null with fewer than five measured. */
  readonly averagePpm: bigint | null;
  /** Mean of close - entry in millionths of a dollar; null with fewer than five measured. */
  readonly averageMoveMicro: bigint | null;
}

interface PickTally {
  readonly wins: number;
  readonly losses: number;
  readonly voids: number;
  readonly pending: number;
  /** Profit and stakes of decided picks, in micro-dollars. A win without a price counts in neither. */
  readonly netMicro: bigint;
  readonly stakedMicro: bigint;
  /** One point for each decided pick. The last one has the totals. */
  readonly series: readonly SeriesPoint[];
}

export interface PickRecord extends PickTally {
  /** Of settled picks. */
  readonly closing: ClosingSummary;
}

/** @param picks in the order of their dates */
export const summarizePicks = (picks: readonly RecordedPick[]): PickRecord => ({
  ...tallyPicks(picks),
  closing: summarizeClosing(picks.filter(({ outcome }) => outcome !== null)),
});

/** The record without closing prices. @param picks in the order of their dates */
export function tallyPicks(picks: readonly RecordedPick[]): PickTally {
  const series: SeriesPoint[] = [];
  let [wins, losses, voids, pending] = [0, 0, 0, 0];
  let [netMicro, stakedMicro] = [0n, 0n];
  for (const { date, outcome, price } of picks) {
    if (outcome === null) pending += 1;
    else if (outcome === "void") voids += 1;
    else {
      if (outcome === "win") wins += 1;
      else losses += 1;
      const gross = returnMicro(outcome, price);
      if (gross !== null) {
        netMicro += gross - STAKE_MICRO;
        stakedMicro += STAKE_MICRO;
      }
      series.push({ date, netMicro, wins, decided: wins + losses });
    }
  }
  return { wins, losses, voids, pending, netMicro, stakedMicro, series };
}

function summarizeClosing(settled: readonly RecordedPick[]): ClosingSummary {
  const count = (state: ClosingState) => settled.filter(({ closing }) => closing === state).length;
  const moves = settled.flatMap(({ closing, price, closePrice }) => {
    const entry = closing === "measured" && price !== null ? parseMicro(price) : null;
    const close = closePrice === null ? null : parseMicro(closePrice);
    if (entry === null || close === null || entry <= 0n) return [];
    return [{ move: close - entry, ppm: ((close - entry) * MICRO) / entry }];
  });
  const mean = (values: readonly bigint[]) =>
    values.length < CLV_MIN_MEASURED ? null : values.reduce((sum, value) => sum + value, 0n) / BigInt(values.length);
  return {
    total: settled.length,
    measured: moves.length,
    pending: count("pending"),
    unavailable: count("unavailable") + count("measured") - moves.length,
    notApplicable: count("not_applicable"),
    beats: moves.filter(({ move }) => move > 0n).length,
    ties: moves.filter(({ move }) => move === 0n).length,
    averagePpm: mean(moves.map(({ ppm }) => ppm)),
    averageMoveMicro: mean(moves.map(({ move }) => move)),
  };
}

/** Units won or lost by one decided pick in millionths: return / stake - 1; null when it has no return, 0 for void. */
export function unitScorePpm(outcome: PickOutcome | null, price: string | null): bigint | null {
  const gross = returnMicro(outcome, price);
  return gross === null ? null : ((gross - STAKE_MICRO) * MICRO) / STAKE_MICRO;
}
