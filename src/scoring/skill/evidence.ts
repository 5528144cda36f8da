import { combineSums, EMPTY_CLUSTER, type ClusterSums } from "./cluster-sums.ts";
import { addBet, addClose, NO_BETS, netMarket, type MarketBet } from "./market-bets.ts";
import { FULL_WEIGHT_USD, MICRO, PARTS } from "./parameters.ts";
import type { SettledBet } from "./settled-bet.ts";
import {
  combinePairs,
  combineStories,
  EMPTY_STORY,
  NO_PAIRS,
  squaresOf,
  storyOfCluster,
  type StoryPairs,
  type StorySums,
} from "./story-sums.ts";

/**
 * The complete input of a trader's grade: sums over its clusters. Each cluster gives one observation, however
 * many bets it has, after those of each market are netted (`netMarket`). With n dollars between the worst and the best
 * result of a market: x, the profit over the sum of n; v, the mean of price * (1 - price), weighted by n; and w, the
 * cluster's weight, 0 to 1. All sums except the counts are integers in units of 1e-9, so that a cluster's part can be
 * removed exactly when another of its bets settles.
 *
 * The bets from before a market's close give a second observation: y, u and z are x, v and w with the closing price in the
 * place of the payout.
 */
export interface SkillEvidence extends StoryPairs {
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
  /** Clusters with something at stake before a known close. */
  readonly closeClusters: number;
  /** Sum of z y. */
  readonly closeEdge: number;
  /** Sum of z u. */
  readonly closeInformation: number;
  /** Sum of z² u. */
  readonly closeSquareInformation: number;
  /** Sum of z² y². */
  readonly closeEdgeEdge: number;
  /** Sum of z² y u. */
  readonly closeEdgeVariance: number;
  /** Sum of z² u². */
  readonly closeVarianceVariance: number;
  /** Sum of w z x y. */
  readonly crossEdgeEdge: number;
  /** Sum of w z x u. */
  readonly crossEdgeVariance: number;
  /** Sum of w z v y. */
  readonly crossVarianceEdge: number;
  /** Sum of w z v u. */
  readonly crossVarianceVariance: number;
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
  closeClusters: 0,
  closeEdge: 0,
  closeInformation: 0,
  closeSquareInformation: 0,
  closeEdgeEdge: 0,
  closeEdgeVariance: 0,
  closeVarianceVariance: 0,
  crossEdgeEdge: 0,
  crossEdgeVariance: 0,
  crossVarianceEdge: 0,
  crossVarianceVariance: 0,
  ...NO_PAIRS,
};

/** The evidence of one cluster. A cluster without anything at stake (hedged, or below a millionth) adds only its bets. */
export function evidenceOfCluster(sums: ClusterSums): SkillEvidence {
  const { bets, usdMicro, edgeMicro, varianceMicro, closeUsdMicro, closeEdgeMicro, closeVarianceMicro } = sums;
  const { count, weight: w, edge: x, variance: v } = observe(usdMicro, edgeMicro, varianceMicro);
  const { count: closes, weight: z, edge: y, variance: u } = observe(closeUsdMicro, closeEdgeMicro, closeVarianceMicro);
  return {
    ...NO_PAIRS,
    bets,
    clusters: count,
    weight: toParts(w),
    edge: toParts(w * x),
    information: toParts(w * v),
    squareInformation: toParts(w * w * v),
    edgeEdge: toParts(w * w * x * x),
    edgeVariance: toParts(w * w * x * v),
    varianceVariance: toParts(w * w * v * v),
    closeClusters: closes,
    closeEdge: toParts(z * y),
    closeInformation: toParts(z * u),
    closeSquareInformation: toParts(z * z * u),
    closeEdgeEdge: toParts(z * z * y * y),
    closeEdgeVariance: toParts(z * z * y * u),
    closeVarianceVariance: toParts(z * z * u * u),
    crossEdgeEdge: toParts(w * z * x * y),
    crossEdgeVariance: toParts(w * z * x * u),
    crossVarianceEdge: toParts(w * z * v * y),
    crossVarianceVariance: toParts(w * z * v * u),
  };
}

/** What a cluster shows: nothing where nothing is at stake. */
function observe(usdMicro: number, edgeMicro: number, varianceMicro: number) {
  if (usdMicro <= 0) return { count: 0, weight: 0, edge: 0, variance: 0 };
  const weight = Math.min(1, usdMicro / (FULL_WEIGHT_USD * MICRO));
  return { count: 1, weight, edge: edgeMicro / usdMicro, variance: varianceMicro / usdMicro };
}

/**
 * Replaces the part of one cluster in a trader's evidence. The cost does not depend on the length of the
 * history.
 */
export function replaceCluster(evidence: SkillEvidence, before: ClusterSums, after: ClusterSums): SkillEvidence {
  return combine(combine(evidence, evidenceOfCluster(before), -1), evidenceOfCluster(after), 1);
}

/**
 * Replaces the part of one cluster in its story, and in the trader's evidence. The cost does not depend on the number of
 * clusters in the story.
 */
export function replaceInStory(
  evidence: SkillEvidence,
  story: StorySums,
  before: ClusterSums,
  after: ClusterSums,
): { readonly evidence: SkillEvidence; readonly story: StorySums } {
  const removed = storyOfCluster(evidenceOfCluster(before));
  const added = storyOfCluster(evidenceOfCluster(after));
  const next = combineStories(combineStories(story, removed, -1), added, 1);
  const pairsBefore = combinePairs(squaresOf(story), squaresOf(removed), -1);
  const pairsAfter = combinePairs(squaresOf(next), squaresOf(added), -1);
  const replaced = replaceCluster(evidence, before, after);
  return {
    evidence: { ...replaced, ...combinePairs(combinePairs(replaced, pairsBefore, -1), pairsAfter, 1) },
    story: next,
  };
}

/** A whole cluster and the key of its story; null where it has none. */
export interface StoryCluster {
  readonly sums: ClusterSums;
  readonly story: string | number | null;
}

/** @param clusters each once, in any order */
export function evidenceOfClusters(clusters: Iterable<StoryCluster>): SkillEvidence {
  let evidence = NO_EVIDENCE;
  const stories = new Map<string | number, StorySums>();
  for (const { sums, story } of clusters) {
    if (story === null) {
      evidence = replaceCluster(evidence, EMPTY_CLUSTER, sums);
      continue;
    }
    const next = replaceInStory(evidence, stories.get(story) ?? EMPTY_STORY, EMPTY_CLUSTER, sums);
    evidence = next.evidence;
    stories.set(story, next.story);
  }
  return evidence;
}

/** The same evidence, rebuilt from all bets of a trader, in any order. */
export function evidenceOf(bets: readonly SettledBet[]): SkillEvidence {
  const byCluster = [...Map.groupBy(bets, ({ cluster }) => cluster).values()];
  return evidenceOfClusters(byCluster.map((own) => ({ sums: clusterSumsOf(own), story: own[0]?.story ?? null })));
}

function clusterSumsOf(bets: readonly SettledBet[]): ClusterSums {
  let sums = EMPTY_CLUSTER;
  for (const market of Map.groupBy(bets, ({ market: id }) => id).values()) {
    const early = market.flatMap((bet) =>
      bet.close === undefined ? [] : [{ ...toMarketBet(bet), payout: bet.close }],
    );
    const net = netMarket(market.map(toMarketBet).reduce(addBet, NO_BETS));
    sums = combineSums(sums, addClose(net, early.reduce(addBet, NO_BETS)), 1);
  }
  return sums;
}

const toMarketBet = ({ outcome, shares, usd, payout, isMaker = false }: SettledBet): MarketBet => ({
  outcome,
  sharesMicro: Math.round(shares * MICRO),
  usdMicro: Math.round(usd * MICRO),
  payout,
  isMaker,
});

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
    closeClusters: left.closeClusters + sign * right.closeClusters,
    closeEdge: left.closeEdge + sign * right.closeEdge,
    closeInformation: left.closeInformation + sign * right.closeInformation,
    closeSquareInformation: left.closeSquareInformation + sign * right.closeSquareInformation,
    closeEdgeEdge: left.closeEdgeEdge + sign * right.closeEdgeEdge,
    closeEdgeVariance: left.closeEdgeVariance + sign * right.closeEdgeVariance,
    closeVarianceVariance: left.closeVarianceVariance + sign * right.closeVarianceVariance,
    crossEdgeEdge: left.crossEdgeEdge + sign * right.crossEdgeEdge,
    crossEdgeVariance: left.crossEdgeVariance + sign * right.crossEdgeVariance,
    crossVarianceEdge: left.crossVarianceEdge + sign * right.crossVarianceEdge,
    crossVarianceVariance: left.crossVarianceVariance + sign * right.crossVarianceVariance,
    ...combinePairs(left, right, sign),
  };
}

/** Adding zero turns the negative zero that rounding a small negative number gives into zero. */
const toParts = (value: number): number => Math.round(value * PARTS) + 0;
