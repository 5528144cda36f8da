import { createRandom } from "../../provider/simulate/random.ts";
import { nth } from "../nth.ts";
import { twoWayMean, type ClusteredMean } from "../two-way-mean.ts";
import type { PickWalk, StudyPick } from "./walk-picks.ts";

/** Random sides at about the price of each pick: this many, within this distance. */
const DRAWS = 20;
const SAME_PRICE = 0.01;
/** Dollars of every pick. */
const STAKE = 1000;

/** Means over picks, clustered by event and by day. */
export interface PickResult {
  readonly name: string;
  /** Of picks that the market decided. */
  readonly hitRate: ClusteredMean;
  readonly price: ClusteredMean;
  /** Payout less price, in points. */
  readonly edge: ClusteredMean;
  /** Closing price less price, in points. */
  readonly closing: ClusteredMean;
  /** Profit of the stake, in dollars. */
  readonly dollars: ClusteredMean;
}

export interface PickStudy {
  readonly days: number;
  readonly dropped: number;
  readonly results: readonly PickResult[];
}

/** @param seed of the random sides */
export function measurePicks({ picks, dropped, alternatives }: PickWalk, seed: number): PickStudy {
  const random = createRandom(seed, "picks");
  const others = picks.map((pick) => {
    const near = alternatives.filter((one) => Math.abs(one.price - pick.price) <= SAME_PRICE);
    // The pick itself is one of them.
    return Array.from({ length: DRAWS }, () => random.pick(near));
  });
  const favourites = picks.map((pick) => {
    const sides = alternatives.filter((one) => one.market === pick.market);
    return sides.filter((one) => one.price >= 0.5).slice(0, 1);
  });
  return {
    days: new Set(picks.map(({ day }) => day)).size,
    dropped,
    results: [
      resultOf(
        "the rule",
        picks,
        picks.map((pick) => [pick]),
      ),
      resultOf("random sides at the same prices", picks, others),
      resultOf("the favourite of the same markets", picks, favourites),
    ],
  };
}

/** @param bought what stands for each pick; its mean counts */
function resultOf(name: string, picks: readonly StudyPick[], bought: readonly (readonly StudyPick[])[]): PickResult {
  const counted = picks.flatMap((pick, index) =>
    nth(bought, index).length > 0 ? [{ pick, own: nth(bought, index) }] : [],
  );
  const events = Int32Array.from(counted, ({ pick }) => pick.market.cluster);
  const days = Int32Array.from(counted, ({ pick }) => Math.max(0, pick.day));
  // An event is in one day, so a pair of both is the event.
  const mean = (valueOf: (one: StudyPick) => number) =>
    twoWayMean(
      Float64Array.from(counted, ({ own }) => own.reduce((sum, one) => sum + valueOf(one), 0) / own.length),
      events,
      days,
      events,
    );
  return {
    name,
    hitRate: mean(({ payout }) => payout),
    price: mean(({ price }) => price),
    edge: mean(({ payout, price }) => 100 * (payout - price)),
    closing: mean(({ closePrice, price }) => 100 * (closePrice - price)),
    dollars: mean(({ payout, price }) => (STAKE * payout) / price - STAKE),
  };
}
