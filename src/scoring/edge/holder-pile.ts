import { divideRounded } from "../divide-rounded.ts";
import { BACKING_QUARTERS } from "./parameters.ts";

export type PileGrade = keyof typeof BACKING_QUARTERS;

/** A trader graded S, A or B with its shares of both outcomes, in micro-shares, by outcome index. */
export interface GradedHolder {
  readonly traderId: number;
  readonly grade: PileGrade;
  readonly sharesMicro: readonly [bigint, bigint];
}

/** Prices of the two outcomes in micro-dollars per share, by outcome index; null without a price. */
export type SidePrices = readonly [bigint | null, bigint | null];

/** A holder on the larger side, with the value of its net shares in micro-dollars. */
export interface PileHolder {
  readonly traderId: number;
  readonly grade: PileGrade;
  readonly usdMicro: bigint;
  /** Whether it also holds shares of the other outcome. */
  readonly isHedged: boolean;
}

export interface HolderPile {
  readonly outcomeIndex: 0 | 1;
  /** Net dollars of all graded holders on each side, in micro-dollars, by outcome index. */
  readonly sidesMicro: readonly [bigint, bigint];
  /** The holders whose net shares are of the larger side. Never empty. */
  readonly holders: readonly PileHolder[];
}

/**
 * The side on which the graded holders have more dollars. A pair of both outcomes pays one dollar whatever happens, so
 * a holder of both counts with its net shares only; with equal shares it is on no side.
 *
 * @returns `unpriced` when an outcome with net shares has no price; `even` when both sides have equal dollars
 */
export function pileOf(holders: readonly GradedHolder[], prices: SidePrices): HolderPile | "unpriced" | "even" {
  const sides: [PileHolder[], PileHolder[]] = [[], []];
  for (const { traderId, grade, sharesMicro } of holders) {
    const [yes, no] = sharesMicro;
    if (yes === no) continue;
    const side = yes > no ? 0 : 1;
    const price = prices[side];
    if (price === null) return "unpriced";
    const netMicro = yes > no ? yes - no : no - yes;
    const usdMicro = divideRounded(netMicro * price, 1_000_000n);
    sides[side].push({ traderId, grade, usdMicro, isHedged: yes > 0n && no > 0n });
  }
  const sidesMicro = [sumOf(sides[0]), sumOf(sides[1])] as const;
  if (sidesMicro[0] === sidesMicro[1]) return "even";
  const outcomeIndex = sidesMicro[0] > sidesMicro[1] ? 0 : 1;
  return { outcomeIndex, sidesMicro, holders: sides[outcomeIndex] };
}

/** Whether the pile has at least this share of the dollars of both sides. */
export const hasShare = ({ outcomeIndex, sidesMicro: [yes, no] }: HolderPile, percent: bigint): boolean =>
  (outcomeIndex === 0 ? yes : no) * 100n >= (yes + no) * percent;

export interface PileFigures {
  /** Dollars of YES minus NO over both, -1 to 1. */
  readonly sideShare: number;
  /** The pile's share of the dollars, above 0.5 to 1. */
  readonly pileShare: number;
  readonly backedMicro: bigint;
  /** Dollars weighted by grade (`BACKING_QUARTERS`), in micro-dollars. */
  readonly backingMicro: bigint;
  readonly counts: Readonly<Record<PileGrade, number>>;
  readonly topGrade: PileGrade;
  readonly oneWayHolders: number;
  readonly hedgedHolders: number;
  readonly oneWayMicro: bigint;
  /** The sort key, descending: see `rankScoreOf`. */
  readonly rankScore: number;
}

export function measurePile({ outcomeIndex, sidesMicro, holders }: HolderPile): PileFigures {
  const [yes, no] = sidesMicro;
  const backedMicro = sidesMicro[outcomeIndex];
  const count = (grade: PileGrade) => holders.filter((holder) => holder.grade === grade).length;
  const counts = { S: count("S"), A: count("A"), B: count("B") };
  const oneWay = holders.filter(({ isHedged }) => !isHedged);
  const quarters = holders.reduce((sum, { grade, usdMicro }) => sum + usdMicro * BACKING_QUARTERS[grade], 0n);
  return {
    sideShare: Number(yes - no) / Number(yes + no),
    pileShare: Number(backedMicro) / Number(yes + no),
    backedMicro,
    backingMicro: quarters / 4n,
    counts,
    topGrade: counts.S > 0 ? "S" : counts.A > 0 ? "A" : "B",
    oneWayHolders: oneWay.length,
    hedgedHolders: holders.length - oneWay.length,
    oneWayMicro: sumOf(oneWay),
    rankScore: rankScoreOf(counts, backedMicro),
  };
}

const MAX_COUNT = 99;
const MAX_DOLLARS = 999_999_999;

/**
 * One number that orders piles by their holders graded S, then A, then B, then by whole dollars. Counts above 99 and
 * dollars above 999,999,999 are equal, so the number stays below 2^53 and is exact.
 */
function rankScoreOf({ S, A, B }: PileFigures["counts"], backedMicro: bigint): number {
  const dollars = Math.min(MAX_DOLLARS, Number(backedMicro / 1_000_000n));
  const [s, a, b] = [S, A, B].map((count) => Math.min(MAX_COUNT, count)) as [number, number, number];
  return ((s * 100 + a) * 100 + b) * 1e9 + dollars;
}

const sumOf = (holders: readonly PileHolder[]): bigint => holders.reduce((sum, { usdMicro }) => sum + usdMicro, 0n);
