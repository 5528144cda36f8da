import { ESTIMATORS, PUBLISHED } from "../estimators.ts";
import { countFinalLetters, LARGE_USD, measureEdges } from "../measure-walk.ts";
import { nth } from "../nth.ts";
import type { WorldName } from "../simulate/worlds.ts";
import { simulateYear, type SimulationSize } from "../simulate/simulate-year.ts";
import type { StudyData } from "../study-data.ts";
import { poolMeans, type ClusteredMean } from "../two-way-mean.ts";
import { walkForward, type GradedWalk } from "../walk-forward.ts";
import { areaUnderCurve } from "./area-under-curve.ts";
import { closingLineValues } from "./closing-line.ts";

/** The published method in one world, over all its seeds. */
export interface WorldResult {
  readonly world: WorldName;
  readonly seeds: number;
  /** By letter, S first. */
  readonly edges: readonly ClusteredMean[];
  readonly largeEdges: readonly ClusteredMean[];
  /** The same by true probabilities instead of results. */
  readonly trueEdges: readonly ClusteredMean[];
  readonly trueLargeEdges: readonly ClusteredMean[];
  /** Traders that made large purchases under each letter, S first, summed over the years. */
  readonly largeTraders: readonly number[];
  /** Traders with each letter at the ends of the years, S first. */
  readonly finalLetters: readonly number[];
  /**
   * How well a value separates skilled traders from all others at the end, among graded ones: the score, and the
   * closing-line value. Mean over the seeds; null where a seed has no skilled traders.
   */
  readonly scoreArea: number | null;
  readonly closingLineArea: number | null;
  /** Of traders with an S or an A at the ends of the years, the share of each kind. */
  readonly upperKinds: ReadonlyMap<string, number>;
  /** Changes of letter per graded trader and month, and those that went straight back. */
  readonly changesPerMonth: number | null;
  readonly straightBackPerMonth: number | null;
}

const published = ESTIMATORS.filter(({ name }) => name === PUBLISHED);

export function measureWorld(world: WorldName, seeds: readonly number[], size: SimulationSize): WorldResult {
  const years = seeds.map((seed) => measureYear(simulateYear(seed, size, world)));
  const months = sumOf(years, ({ flaps }) => flaps.graderMonths);
  const pool = (edgesOf: (year: (typeof years)[number]) => readonly ClusteredMean[]) =>
    nth(years, 0).edges.map((_, letter) => poolMeans(years.map((year) => nth(edgesOf(year), letter))));
  const upper = new Map<string, number>();
  for (const { upperKinds } of years)
    for (const [kind, count] of upperKinds) upper.set(kind, (upper.get(kind) ?? 0) + count);
  const uppers = [...upper.values()].reduce((sum, count) => sum + count, 0);
  return {
    world,
    seeds: seeds.length,
    edges: pool(({ edges }) => edges),
    largeEdges: pool(({ largeEdges }) => largeEdges),
    trueEdges: pool(({ trueEdges }) => trueEdges),
    trueLargeEdges: pool(({ trueLargeEdges }) => trueLargeEdges),
    largeTraders: nth(years, 0).largeTraders.map((_, letter) =>
      sumOf(years, ({ largeTraders }) => nth(largeTraders, letter)),
    ),
    finalLetters: nth(years, 0).finalLetters.map((_, letter) =>
      sumOf(years, ({ finalLetters }) => nth(finalLetters, letter)),
    ),
    scoreArea: meanOf(years.map((year) => year.scoreArea)),
    closingLineArea: meanOf(years.map((year) => year.closingLineArea)),
    upperKinds: new Map([...upper].map(([kind, count]) => [kind, count / uppers])),
    changesPerMonth: months === 0 ? null : sumOf(years, ({ flaps }) => flaps.changes) / months,
    straightBackPerMonth: months === 0 ? null : sumOf(years, ({ flaps }) => flaps.straightBack) / months,
  };
}

function measureYear(data: StudyData) {
  const walk = walkForward(data, published);
  const { edges: trueLargeEdges, traders: largeTraders } = measureEdges(data, walk, LARGE_USD, "truth");
  return {
    edges: measureEdges(data, walk, 0, "payout").edges,
    largeEdges: measureEdges(data, walk, LARGE_USD, "payout").edges,
    trueEdges: measureEdges(data, walk, 0, "truth").edges,
    trueLargeEdges,
    largeTraders,
    finalLetters: countFinalLetters(walk, 0),
    flaps: walk.flaps,
    ...separate(data, walk),
  };
}

function separate(data: StudyData, { months }: GradedWalk) {
  const last = months.at(-1);
  const closing = closingLineValues(data);
  const scores = { skilled: [] as number[], others: [] as number[] };
  const closes = { skilled: [] as number[], others: [] as number[] };
  const upperKinds = new Map<string, number>();
  for (let trader = 0; trader < data.traderCount; trader += 1) {
    const score = last?.scores[trader] ?? Number.NaN;
    const kind = data.latent?.kinds[data.latent.kind[trader] ?? 0] ?? "";
    const group = kind === "skilled" ? "skilled" : "others";
    if (Number.isNaN(score)) continue;
    scores[group].push(score);
    if (!Number.isNaN(nth(closing, trader))) closes[group].push(nth(closing, trader));
    if ((last?.letters[0]?.[trader] ?? 9) <= 1) upperKinds.set(kind, (upperKinds.get(kind) ?? 0) + 1);
  }
  return {
    scoreArea: areaUnderCurve(scores.skilled, scores.others),
    closingLineArea: areaUnderCurve(closes.skilled, closes.others),
    upperKinds,
  };
}

const sumOf = <Item>(items: readonly Item[], valueOf: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + valueOf(item), 0);

const meanOf = (values: readonly (number | null)[]): number | null =>
  values.includes(null) ? null : sumOf(values, (value) => value ?? 0) / values.length;
