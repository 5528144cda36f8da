import { addBet, EMPTY_CLUSTER, removeBet, type ClusterSums } from "./cluster-sums.ts";
import { FULL_WEIGHT_USD, MICRO, PARTS } from "./parameters.ts";
import type { SettledBet } from "./settled-bet.ts";

/**
 * All that a wallet's grade rests on: sums over its clusters. Each cluster gives one observation, however many bets it holds: x, its
 * dollar-weighted mean of payout - price; v, its dollar-weighted mean of price * (1 - price); and w, its weight, 0 to 1. All sums but the
 * counts are integers of 1e-9, so a cluster's part can be taken out to the last digit when one more of its bets settles.
 */
export interface SkillEvidence {
  readonly bets: number;
  readonly clusters: number;
  /** Sum of w. */
  readonly weight: number;
  /** Sum of w x. */
  readonly edge: number;
  /** Sum of w v. */
  readonly information: number;
  /** Sum of w² v. */
  readonly squareInformation: number;
  /** Sum of w² x². */
  readonly edgeEdge: number;
  /** Sum of w² x v. */
  readonly edgeVariance: number;
  /** Sum of w² v². */
  readonly varianceVariance: number;
}

export const NO_EVIDENCE: SkillEvidence = {
  bets: 0,
  clusters: 0,
  weight: 0,
  edge: 0,
  information: 0,
  squareInformation: 0,
  edgeEdge: 0,
  edgeVariance: 0,
  varianceVariance: 0,
};

/** What one cluster gives. A cluster without dollars (all bets below a millionth) gives nothing. */
export function evidenceOfCluster({ bets, usdMicro, edgeMicro, varianceMicro }: ClusterSums): SkillEvidence {
  if (usdMicro <= 0) return { ...NO_EVIDENCE, bets };
  const w = Math.min(1, usdMicro / (FULL_WEIGHT_USD * MICRO));
  const x = edgeMicro / usdMicro;
  const v = varianceMicro / usdMicro;
  return {
    bets,
    clusters: 1,
    weight: inParts(w),
    edge: inParts(w * x),
    information: inParts(w * v),
    squareInformation: inParts(w * w * v),
    edgeEdge: inParts(w * w * x * x),
    edgeVariance: inParts(w * w * x * v),
    varianceVariance: inParts(w * w * v * v),
  };
}

/** A wallet's evidence after one of its clusters went from one state to another. Costs the same however long its history is. */
export function replaceCluster(evidence: SkillEvidence, before: ClusterSums, after: ClusterSums): SkillEvidence {
  return combine(combine(evidence, evidenceOfCluster(before), -1), evidenceOfCluster(after), 1);
}

/** What a settlement moves: a wallet's evidence, and its state in the one cluster the bet belongs to. */
export interface SkillRecord {
  readonly evidence: SkillEvidence;
  readonly cluster: ClusterSums;
}

/** One more bet of a cluster has settled. */
export function settleBet({ evidence, cluster }: SkillRecord, bet: SettledBet): SkillRecord {
  const after = addBet(cluster, bet);
  return { evidence: replaceCluster(evidence, cluster, after), cluster: after };
}

/** A settlement was reversed. Undoes `settleBet` to the last digit. */
export function reverseBet({ evidence, cluster }: SkillRecord, bet: SettledBet): SkillRecord {
  const after = removeBet(cluster, bet);
  return { evidence: replaceCluster(evidence, cluster, after), cluster: after };
}

/** The same evidence, rebuilt from all bets of a wallet. Their order does not matter. */
export function evidenceOf(bets: readonly SettledBet[]): SkillEvidence {
  const clusters = new Map<string, ClusterSums>();
  for (const bet of bets) clusters.set(bet.cluster, addBet(clusters.get(bet.cluster) ?? EMPTY_CLUSTER, bet));
  let evidence = NO_EVIDENCE;
  for (const cluster of clusters.values()) evidence = combine(evidence, evidenceOfCluster(cluster), 1);
  return evidence;
}

function combine(left: SkillEvidence, right: SkillEvidence, sign: 1 | -1): SkillEvidence {
  return {
    bets: left.bets + sign * right.bets,
    clusters: left.clusters + sign * right.clusters,
    weight: left.weight + sign * right.weight,
    edge: left.edge + sign * right.edge,
    information: left.information + sign * right.information,
    squareInformation: left.squareInformation + sign * right.squareInformation,
    edgeEdge: left.edgeEdge + sign * right.edgeEdge,
    edgeVariance: left.edgeVariance + sign * right.edgeVariance,
    varianceVariance: left.varianceVariance + sign * right.varianceVariance,
  };
}

/** Adding zero turns the negative zero that rounding a small negative number gives into zero. */
const inParts = (value: number): number => Math.round(value * PARTS) + 0;
