import { MICRO, PARTS } from "./parameters.ts";

/** The clusters of one trader in one story, as integer sums in units of 1 / PARTS. */
export interface StorySums {
  /** Sum of w x. */
  readonly edge: number;
  /** Sum of w v. */
  readonly information: number;
  /** Sum of the roots of w² v: the deviation that the prices imply if all clusters move together. */
  readonly deviation: number;
}

export const EMPTY_STORY: StorySums = { edge: 0, information: 0, deviation: 0 };

/**
 * Sums over pairs of different clusters of one story, each pair in both orders, in units of 1 / MICRO: in units of
 * 1 / PARTS those of a year of five-minute markets would not be exact.
 */
export interface StoryPairs {
  /** Of w x times w x. */
  readonly storyEdgeEdge: number;
  /** Of w x times w v. */
  readonly storyEdgeVariance: number;
  /** Of w v times w v. */
  readonly storyVarianceVariance: number;
  /** Of the products of the roots of w² v: what the pairs add to the variance that prices imply if they move together. */
  readonly storyInformation: number;
}

export const NO_PAIRS: StoryPairs = {
  storyEdgeEdge: 0,
  storyEdgeVariance: 0,
  storyVarianceVariance: 0,
  storyInformation: 0,
};

/** What a cluster adds to its story. */
export const storyOfCluster = (
  cluster: Pick<StorySums, "edge" | "information"> & { readonly squareInformation: number },
): StorySums => ({
  edge: cluster.edge,
  information: cluster.information,
  deviation: Math.round(Math.sqrt(cluster.squareInformation / PARTS) * PARTS),
});

export const combineStories = (left: StorySums, right: StorySums, sign: 1 | -1): StorySums => ({
  edge: left.edge + sign * right.edge,
  information: left.information + sign * right.information,
  deviation: left.deviation + sign * right.deviation,
});

/** The squares of a story. Those of a story less those of its clusters are its pairs. */
export const squaresOf = ({ edge, information, deviation }: StorySums): StoryPairs => ({
  storyEdgeEdge: product(edge, edge),
  storyEdgeVariance: product(edge, information),
  storyVarianceVariance: product(information, information),
  storyInformation: product(deviation, deviation),
});

export const combinePairs = (left: StoryPairs, right: StoryPairs, sign: 1 | -1): StoryPairs => ({
  storyEdgeEdge: left.storyEdgeEdge + sign * right.storyEdgeEdge,
  storyEdgeVariance: left.storyEdgeVariance + sign * right.storyEdgeVariance,
  storyVarianceVariance: left.storyVarianceVariance + sign * right.storyVarianceVariance,
  storyInformation: left.storyInformation + sign * right.storyInformation,
});

/** Adding zero turns a negative zero into zero. */
const product = (left: number, right: number): number => Math.round((left / PARTS) * (right / PARTS) * MICRO) + 0;

/** A sum over pairs in units of 1 / PARTS. */
export const pairsInParts = (pairs: number): number => pairs * (PARTS / MICRO);
