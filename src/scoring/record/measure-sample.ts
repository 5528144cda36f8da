import { studentQuantile975 } from "../skill/student-quantile.ts";
import { MIN_EVENTS } from "./parameters.ts";

/**
 * Sums over a sample of claims, all exact. A decided claim has e = payout - price, in millionths of a dollar, with a
 * payout of 0 or 1,000,000; e_c and n_c are the sum of e and the number of decided claims of one event.
 */
export interface SampleSums {
  readonly won: bigint;
  readonly lost: bigint;
  /** Claims with any other payout. */
  readonly voided: bigint;
  /** Sum of the prices of decided claims, in millionths of a dollar. */
  readonly pricePpm: bigint;
  /** What one dollar on each settled claim paid, in millionths of a dollar. */
  readonly returnMicro: bigint;
  /** Events with a decided claim. */
  readonly events: bigint;
  /** Sum of e_c², of e_c n_c and of n_c² over the events. */
  readonly edgeSquares: bigint;
  readonly edgeCounts: bigint;
  readonly countSquares: bigint;
}

/** A mean in points (hundredths of a dollar a share) with its standard error. */
export interface EdgeEstimate {
  readonly points: number;
  readonly standardError: number;
  /** Degrees of freedom of its error. */
  readonly degrees: number;
}

/** Fractions are in millionths, truncated toward zero. */
export interface SampleMeasure {
  /** Fraction of decided claims that won. */
  readonly hitRatePpm: bigint;
  /** Mean price of decided claims. */
  readonly expectedHitRatePpm: bigint;
  /** Hit rate less expected hit rate. */
  readonly edge: EdgeEstimate;
  /** Profit of one dollar on each settled claim, per dollar; at least -1,000,000. */
  readonly profitPpm: bigint;
}

/** A 95 % interval around a mean, in points. */
export interface PointsInterval {
  readonly points: number;
  readonly low: number;
  readonly high: number;
}

const MICRO = 1_000_000n;
const PPM_PER_POINT = 10_000;

/**
 * The rates of a sample. Claims of one event share its luck, so the error of the edge is that of the events:
 * sqrt(G / (G - 1) × Σ (e_c - n_c × mean)²) / n with G events and n decided claims.
 *
 * @returns null below MIN_EVENTS events: too few are unknown, not zero
 * Source: Cameron, Gelbach and Miller (2011), equation 2.3 for a mean, with one kind of cluster.
 * Error: the sums are exact; points and their error are within 1e-12 relative.
 */
export function measureSample(sums: SampleSums): SampleMeasure | null {
  const { won, lost, voided, pricePpm, returnMicro, events } = sums;
  if (events < BigInt(MIN_EVENTS)) return null;
  const decided = won + lost;
  const settled = decided + voided;
  const edgePpm = won * MICRO - pricePpm;
  // n² Σ (e_c - n_c × mean)², which is an integer.
  const squares =
    decided * decided * sums.edgeSquares -
    2n * decided * edgePpm * sums.edgeCounts +
    edgePpm * edgePpm * sums.countSquares;
  const [n, groups] = [Number(decided), Number(events)];
  return {
    hitRatePpm: (won * MICRO) / decided,
    expectedHitRatePpm: pricePpm / decided,
    edge: {
      points: Number(edgePpm) / n / PPM_PER_POINT,
      standardError: Math.sqrt((groups / (groups - 1)) * Number(squares)) / n / n / PPM_PER_POINT,
      degrees: groups - 1,
    },
    profitPpm: (returnMicro - settled * MICRO) / settled,
  };
}

/** The 95 % interval of an estimate by Student's t. */
export function intervalOf({ points, standardError, degrees }: EdgeEstimate): PointsInterval {
  const margin = studentQuantile975(degrees) * standardError;
  return { points, low: points - margin, high: points + margin };
}

/** How much better one sample did than another, with the samples as independent. */
export const differenceOf = (left: EdgeEstimate, right: EdgeEstimate): EdgeEstimate => ({
  points: left.points - right.points,
  standardError: Math.hypot(left.standardError, right.standardError),
  degrees: Math.min(left.degrees, right.degrees),
});
