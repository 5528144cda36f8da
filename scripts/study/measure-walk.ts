import { PUBLISHED } from "./estimators.ts";
import { LETTERS, UNGRADED } from "./letters.ts";
import { rankCorrelation } from "./rank-correlation.ts";
import type { StudyData } from "./study-data.ts";
import { twoWayMean, type ClusteredMean } from "./two-way-mean.ts";
import type { GradedWalk, MonthEnd } from "./walk-forward.ts";
import { nth } from "./nth.ts";

/** The public reference counts purchases of at least this many dollars. */
export const LARGE_USD = 10_000;
export const FORECAST_EDGES: readonly number[] = [-Infinity, -2, -1, -0.5, 0, 0.5, 1, 2, Infinity];

export interface EstimatorResult {
  readonly name: string;
  readonly title: string;
  /** By letter, S first: edge of later purchases, in points. */
  readonly edges: readonly ClusteredMean[];
  readonly largeEdges: readonly ClusteredMean[];
  /** Correlation with latent skill, over traders graded at the end; null without latent skill. */
  readonly latentCorrelation: number | null;
  /**
   * Share of traders that keep their letter from one month's end to the next; null with fewer than two
   * months.
   */
  readonly letterRetention: number | null;
}

export interface StudyResult {
  readonly title: string;
  readonly isGenerated: boolean;
  readonly notes: readonly string[];
  readonly traders: number;
  readonly bets: number;
  readonly settledPurchases: number;
  readonly gradedPurchases: number;
  /** Edge of all settled purchases, graded or not. */
  readonly allPurchases: ClusteredMean;
  readonly allSales: ClusteredMean;
  readonly estimators: readonly EstimatorResult[];
  /** Purchases by forecast edge, with their actual edge. Empty bins are left out. */
  readonly calibration: readonly {
    readonly from: number;
    readonly to: number;
    readonly forecast: number;
    readonly came: ClusteredMean;
  }[];
  readonly stability: Stability | null;
  /** Share of traders with a settled bet that ended below zero and above it; null without such traders. */
  readonly losingShare: number | null;
  readonly winningShare: number | null;
  /** Traders with each letter at the end, S first. */
  readonly finalLetters: readonly number[];
}

export interface Stability {
  /**
   * Rows: letter at a month's end; columns: a month later; shares of the row. The last column is ungraded.
   */
  readonly transitions: readonly (readonly number[])[];
  readonly withinOne: number;
  readonly scoreCorrelation: number | null;
}

export function measureWalk(data: StudyData, walk: GradedWalk): StudyResult {
  const purchases = selectBets(data, (bet) => data.bets.isSale[bet] === 0);
  const graded = purchases.filter((bet) => !Number.isNaN(nth(walk.forecast, bet)));
  const large = graded.filter((bet) => nth(data.bets.usd, bet) >= LARGE_USD);
  const active = walk.records.filter((record) => record.bets > 0);
  const published = walk.estimators.findIndex(({ name }) => name === PUBLISHED);
  return {
    title: data.title,
    isGenerated: data.isGenerated,
    notes: data.notes,
    traders: active.length,
    bets: data.bets.count,
    settledPurchases: purchases.length,
    gradedPurchases: graded.length,
    allPurchases: edgeOf(data, purchases),
    allSales: edgeOf(
      data,
      selectBets(data, (bet) => data.bets.isSale[bet] === 1),
    ),
    estimators: walk.estimators.map(({ name, title }, index) => ({
      name,
      title,
      edges: edgesByLetter(data, graded, nth(walk.letters, index)),
      largeEdges: edgesByLetter(data, large, nth(walk.letters, index)),
      latentCorrelation: correlateWithLatent(data, walk, index),
      letterRetention: letterRetention(walk.months, index),
    })),
    calibration: calibrate(data, walk, graded),
    stability: measureStability(walk.months, published),
    losingShare: shareOf(active, ({ profitUsd }) => profitUsd < 0),
    winningShare: shareOf(active, ({ profitUsd }) => profitUsd > 0),
    finalLetters: countFinalLetters(walk, published),
  };
}

const shareOf = (
  records: GradedWalk["records"],
  isCounted: (record: GradedWalk["records"][number]) => boolean,
): number | null => (records.length === 0 ? null : records.filter(isCounted).length / records.length);

function selectBets({ bets }: StudyData, isWanted: (bet: number) => boolean): readonly number[] {
  const selected: number[] = [];
  for (let bet = 0; bet < bets.count; bet += 1)
    if (!Number.isNaN(nth(bets.payout, bet)) && isWanted(bet)) selected.push(bet);
  return selected;
}

/** What purchases are worth: their payouts, or the true probabilities that a simulation knows. */
type Worth = "payout" | "truth";

/** The mean edge, clustered by event and by trader. Without true probabilities theirs is that of no purchase. */
function edgeOf(data: StudyData, selected: readonly number[], worth: Worth = "payout"): ClusteredMean {
  const worths = data.bets[worth];
  if (worths === undefined) return { count: 0, mean: null, standardError: null };
  const { bets, clusterOfMarket } = data;
  const pairs = pairNumbers(data);
  const edges = new Float64Array(selected.length);
  const clusters = new Int32Array(selected.length);
  const wallets = new Int32Array(selected.length);
  const both = new Int32Array(selected.length);
  for (let index = 0; index < selected.length; index += 1) {
    const bet = nth(selected, index);
    edges[index] = 100 * (nth(worths, bet) - nth(bets.price, bet));
    clusters[index] = nth(clusterOfMarket, nth(bets.market, bet));
    wallets[index] = nth(bets.trader, bet);
    both[index] = nth(pairs, bet);
  }
  return twoWayMean(edges, clusters, wallets, both);
}

const numberedPairs = new WeakMap<StudyData, Int32Array>();

/** By bet: the number of its pair of cluster and trader. Cached for each data set. */
function pairNumbers(data: StudyData): Int32Array {
  const known = numberedPairs.get(data);
  if (known !== undefined) return known;
  const numbers = new Map<number, number>();
  const pairs = Int32Array.from(data.bets.trader, (wallet, bet) => {
    const key = wallet * data.clusterCount + nth(data.clusterOfMarket, nth(data.bets.market, bet));
    const number = numbers.get(key) ?? numbers.size;
    if (number === numbers.size) numbers.set(key, number);
    return number;
  });
  numberedPairs.set(data, pairs);
  return pairs;
}

function edgesByLetter(
  data: StudyData,
  selected: readonly number[],
  letters: Uint8Array,
  worth: Worth = "payout",
): readonly ClusteredMean[] {
  const byLetter: number[][] = LETTERS.map(() => []);
  for (const bet of selected) byLetter[nth(letters, bet)]?.push(bet);
  return byLetter.map((own) => edgeOf(data, own, worth));
}

/**
 * By letter, S first: the edge of the purchases of at least `leastUsd` under a letter of the first estimator, by their
 * results or by their true probabilities, and how many traders made them.
 */
export function measureEdges(data: StudyData, walk: GradedWalk, leastUsd: number, worth: Worth) {
  const letters = nth(walk.letters, 0);
  const { usd, trader, isSale } = data.bets;
  const selected = selectBets(
    data,
    (bet) => isSale[bet] === 0 && letters[bet] !== UNGRADED && nth(usd, bet) >= leastUsd,
  );
  const traders = LETTERS.map(
    (_, letter) => new Set(selected.filter((bet) => letters[bet] === letter).map((bet) => nth(trader, bet))).size,
  );
  return { edges: edgesByLetter(data, selected, letters, worth), traders };
}

/** Traders with each letter of an estimator at the end, S first. */
export function countFinalLetters(walk: GradedWalk, estimator: number): readonly number[] {
  const last = walk.months.at(-1);
  return LETTERS.map((_, letter) => (last ? nth(last.letters, estimator).filter((one) => one === letter).length : 0));
}

function calibrate(data: StudyData, walk: GradedWalk, graded: readonly number[]): StudyResult["calibration"] {
  return FORECAST_EDGES.slice(1).flatMap((to, index) => {
    const from = nth(FORECAST_EDGES, index);
    const own = graded.filter((bet) => nth(walk.forecast, bet) >= from && nth(walk.forecast, bet) < to);
    if (own.length === 0) return [];
    const forecast = own.reduce((sum, bet) => sum + nth(walk.forecast, bet), 0) / own.length;
    return [{ from, to, forecast, came: edgeOf(data, own) }];
  });
}

/**
 * Correlates the estimator's values at the end with latent skill, over traders that the published method
 * grades.
 */
function correlateWithLatent(data: StudyData, walk: GradedWalk, estimator: number): number | null {
  const scores = walk.months.at(-1)?.scores;
  if (data.latent === null || scores === undefined) return null;
  const { edgePoints } = data.latent;
  const known = walk.records.filter((_, wallet) => !Number.isNaN(nth(scores, wallet)));
  const valueOf = nth(walk.estimators, estimator).fit(known, 0);
  const pairs = walk.records.flatMap((record, wallet) => {
    const value = Number.isNaN(nth(scores, wallet)) || Number.isNaN(nth(edgePoints, wallet)) ? null : valueOf(record);
    return value === null ? [] : [[value, nth(edgePoints, wallet)] as const];
  });
  return rankCorrelation(
    pairs.map(([value]) => value),
    pairs.map(([, latent]) => latent),
  );
}

function letterRetention(months: readonly MonthEnd[], estimator: number): number | null {
  let both = 0;
  let kept = 0;
  for (const [before, after] of monthPairs(months)) {
    nth(before.letters, estimator).forEach((letter, wallet) => {
      const next = nth(nth(after.letters, estimator), wallet);
      if (letter === UNGRADED || next === UNGRADED) return;
      both += 1;
      kept += letter === next ? 1 : 0;
    });
  }
  return both === 0 ? null : kept / both;
}

function measureStability(months: readonly MonthEnd[], estimator: number): Stability | null {
  const counts = LETTERS.map(() => Array.from({ length: LETTERS.length + 1 }, () => 0));
  const before: number[] = [];
  const after: number[] = [];
  for (const [earlier, later] of monthPairs(months)) {
    nth(earlier.letters, estimator).forEach((letter, wallet) => {
      if (letter === UNGRADED) return;
      nth(counts, letter)[nth(nth(later.letters, estimator), wallet)] =
        nth(nth(counts, letter), nth(nth(later.letters, estimator), wallet)) + 1;
      if (Number.isNaN(nth(later.scores, wallet))) return;
      before.push(nth(earlier.scores, wallet));
      after.push(nth(later.scores, wallet));
    });
  }
  const total = counts.flat().reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const near = counts.flatMap((row, letter) =>
    row.filter((_, next) => Math.abs(next - letter) <= 1 && next !== UNGRADED),
  );
  return {
    transitions: counts.map((row) => {
      const rowTotal = row.reduce((sum, count) => sum + count, 0);
      return row.map((count) => (rowTotal === 0 ? 0 : count / rowTotal));
    }),
    withinOne: near.reduce((sum, count) => sum + count, 0) / total,
    scoreCorrelation: rankCorrelation(before, after),
  };
}

function monthPairs(months: readonly MonthEnd[]): readonly (readonly [MonthEnd, MonthEnd])[] {
  return months.slice(1).map((after, index) => [nth(months, index), after] as const);
}
