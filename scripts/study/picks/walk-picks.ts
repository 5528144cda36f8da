import { RELEASE_BEFORE_MS, SELECTION_HORIZON_MS } from "../../../src/domain/picks/pick-schedule.ts";
import { decideSide, selectPicks, type EarlierPick } from "../../../src/scoring/picks/select-picks.ts";
import { nth } from "../nth.ts";
import type { StudyData } from "../study-data.ts";
import type { GradedWalk } from "../walk-forward.ts";
import { candidateBefore, listMarkets, priceBefore, type StudyMarket } from "./market-states.ts";

const HOUR = 3_600;
const DAY = 86_400;
const RELEASE = RELEASE_BEFORE_MS / 1000;
const HORIZON = SELECTION_HORIZON_MS / 1000;

/** One side of one market at its release, with its result. */
export interface StudyPick {
  readonly market: StudyMarket;
  readonly day: number;
  readonly outcomeIndex: 0 | 1;
  /** At the release. */
  readonly price: number;
  /** Of the last trade before the kickoff. */
  readonly closePrice: number;
  /** Payout a share. */
  readonly payout: number;
}

export interface PickWalk {
  readonly picks: readonly StudyPick[];
  /** Selected, and not admitted any more at the release. */
  readonly dropped: number;
  /** Every market with a price at its release, on both sides: what else could have been bought. */
  readonly alternatives: readonly StudyPick[];
}

/**
 * Walks forward in hourly passes. A pass sees the trades before it and the letters that traders had when they bought;
 * it selects among games that start within twelve hours. One hour before its kickoff, the rule is applied again and the
 * pick gets its price. Results are read afterwards.
 */
export function walkPicks(data: StudyData, walk: GradedWalk): PickWalk {
  const markets = listMarkets(data).toSorted((a, b) => a.kickoff - b.kickoff);
  const first = Math.floor((markets[0]?.kickoff ?? 0) / HOUR) * HOUR - HORIZON;
  const earlier = new Map<number, EarlierPick[]>();
  const slots: { market: StudyMarket; outcomeIndex: 0 | 1 }[] = [];
  const chosen = new Set<number>();
  let [from, to] = [0, 0];
  for (let pass = first; from < markets.length; pass += HOUR) {
    while (from < markets.length && nth(markets, from).kickoff <= pass + RELEASE) from += 1;
    while (to < markets.length && nth(markets, to).kickoff <= pass + HORIZON) to += 1;
    const open = markets.slice(from, to).filter(({ market }) => !chosen.has(market));
    for (const [day, own] of Map.groupBy(open, dayOf)) {
      const known = earlier.get(day) ?? [];
      earlier.set(day, known);
      const byId = new Map(own.map((market) => [String(market.market).padStart(9, "0"), market]));
      const candidates = own.flatMap((market) => candidateBefore(data, walk, market, pass) ?? []);
      for (const { candidate, side } of selectPicks(candidates, known)) {
        const market = byId.get(candidate.conditionId);
        if (market === undefined) continue;
        chosen.add(market.market);
        known.push(candidate);
        slots.push({ market, outcomeIndex: side.outcomeIndex });
      }
    }
  }
  const picks = slots.flatMap(({ market, outcomeIndex }) => {
    const candidate = candidateBefore(data, walk, market, market.kickoff - RELEASE);
    const decision = candidate === null ? null : decideSide(candidate);
    const isAdmitted = decision !== null && "side" in decision && decision.side.outcomeIndex === outcomeIndex;
    return isAdmitted ? (sideAtRelease(data, market, outcomeIndex) ?? []) : [];
  });
  return {
    picks,
    dropped: slots.length - picks.length,
    alternatives: markets.flatMap((market) =>
      ([0, 1] as const).flatMap((side) => sideAtRelease(data, market, side) ?? []),
    ),
  };
}

const dayOf = ({ kickoff }: StudyMarket): number => Math.floor(kickoff / DAY);

/** @returns null for a market without a trade before its release */
function sideAtRelease(data: StudyData, market: StudyMarket, outcomeIndex: 0 | 1): StudyPick | null {
  const price = priceBefore(data, market, market.kickoff - RELEASE);
  const close = priceBefore(data, market, market.kickoff);
  if (price === null || close === null) return null;
  const ofSide = (first: number) => (outcomeIndex === 0 ? first : 1 - first);
  return {
    ...{ market, day: dayOf(market), outcomeIndex, price: ofSide(price), closePrice: ofSide(close) },
    payout: ofSide(payoutOfFirst(data, market)),
  };
}

function payoutOfFirst({ bets }: StudyData, { market, bets: own }: StudyMarket): number {
  const bet = nth(own, 0);
  const payout = nth(bets.payout, bet);
  // As `sideOf` numbers the sides.
  return payout >= 0.5 === (market % 2 === 0) ? payout : 1 - payout;
}
