import { HOLDER_WEIGHT } from "../../../src/scoring/picks/parameters.ts";
import type { CandidateHolder, PickCandidate } from "../../../src/scoring/picks/select-picks.ts";
import { ESTIMATORS, PUBLISHED } from "../estimators.ts";
import { LETTERS } from "../letters.ts";
import { nth } from "../nth.ts";
import type { StudyData } from "../study-data.ts";
import type { GradedWalk } from "../walk-forward.ts";

const MICRO = 1_000_000;

/** A market of one event, as of any time: only its trades before that time are used. */
export interface StudyMarket {
  readonly market: number;
  readonly cluster: number;
  /** The event's last trade, in seconds: stands for its schedule, which is known in advance. */
  readonly kickoff: number;
  /** In the order of their times. */
  readonly bets: readonly number[];
}

/** Markets with a known result, by event. */
export function listMarkets({ bets, clusterOfMarket, settledAt }: StudyData): readonly StudyMarket[] {
  const byMarket: number[][] = Array.from({ length: settledAt.length }, () => []);
  const kickoffs = new Map<number, number>();
  for (let bet = 0; bet < bets.count; bet += 1) {
    const market = nth(bets.market, bet);
    if (Number.isNaN(nth(bets.payout, bet))) continue;
    byMarket[market]?.push(bet);
    kickoffs.set(nth(clusterOfMarket, market), nth(bets.at, bet));
  }
  return byMarket.flatMap((own, market) => {
    const cluster = nth(clusterOfMarket, market);
    return own.length === 0 ? [] : [{ market, cluster, kickoff: kickoffs.get(cluster) ?? 0, bets: own }];
  });
}

/** The bought side. The result tells sides apart; which of them is 0 depends on the market, so that nothing follows. */
export const sideOf = ({ bets }: StudyData, bet: number): 0 | 1 =>
  nth(bets.payout, bet) >= 0.5 === (nth(bets.market, bet) % 2 === 0) ? 0 : 1;

/** The price of side 0 in the last trade before a time; null without one. */
export function priceBefore(data: StudyData, { bets }: StudyMarket, time: number): number | null {
  const last = bets.findLast((bet) => nth(data.bets.at, bet) < time);
  if (last === undefined) return null;
  const price = nth(data.bets.price, last);
  return sideOf(data, last) === 0 ? price : 1 - price;
}

/**
 * The rule's input from the trades before a time. Shares are summed from purchases; a sale counts as a purchase of the
 * other side, which leaves the net the same. A trader has the letter of its last purchase in the market.
 */
export function candidateBefore(
  data: StudyData,
  walk: GradedWalk,
  market: StudyMarket,
  time: number,
): PickCandidate | null {
  const price = priceBefore(data, market, time);
  if (price === null) return null;
  const held = new Map<number, { shares: [number, number]; letter: string }>();
  for (const bet of market.bets) {
    if (nth(data.bets.at, bet) >= time) break;
    const trader = nth(data.bets.trader, bet);
    const own = held.get(trader) ?? { shares: [0, 0], letter: "" };
    own.shares[sideOf(data, bet)] += nth(data.bets.usd, bet) / nth(data.bets.price, bet);
    if (nth(data.bets.isSale, bet) === 0) own.letter = LETTERS[nth(nth(walk.letters, PUBLISHED_INDEX), bet)] ?? "";
    held.set(trader, own);
  }
  const holders = [...held.values()].flatMap(({ shares, letter }): CandidateHolder[] =>
    isCounted(letter) ? [{ grade: letter, sharesMicro: [toMicro(shares[0]), toMicro(shares[1])] }] : [],
  );
  return {
    ...{ conditionId: String(market.market).padStart(9, "0"), game: String(market.cluster), kind: "moneyline" },
    ...{ kickoff: market.kickoff, pricesPpm: [toMicro(price), toMicro(1 - price)], holders },
  };
}

const PUBLISHED_INDEX = ESTIMATORS.findIndex(({ name }) => name === PUBLISHED);
const isCounted = (letter: string): letter is keyof typeof HOLDER_WEIGHT => letter in HOLDER_WEIGHT;
const toMicro = (value: number): bigint => BigInt(Math.round(value * MICRO));
