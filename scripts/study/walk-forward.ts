import { gradeOf } from "../../src/scoring/skill/grade.ts";
import { estimatePopulation, isEnoughEvidence, type SkillPopulation } from "../../src/scoring/skill/population.ts";
import { ESTIMATORS, PUBLISHED } from "./estimators.ts";
import { cutLike, letterByFloors, LETTERS, UNGRADED } from "./letters.ts";
import type { StudyData } from "./study-data.ts";
import { TraderRecord } from "./trader-record.ts";
import { nth } from "./nth.ts";

/**
 * Every purchase with its trader's letter just before, by each estimator, and the forecast of the published
 * method.
 */
export interface GradedWalk {
  /** By estimator, by bet: index into LETTERS, or UNGRADED. */
  readonly letters: readonly Uint8Array[];
  /** By bet: expected edge in points just before; NaN when ungraded. */
  readonly forecast: Float64Array;
  /** Letters and scores at the end of each month. */
  readonly months: readonly MonthEnd[];
  /** By trader, at the end. */
  readonly records: readonly TraderRecord[];
  readonly population: SkillPopulation | null;
}

export interface MonthEnd {
  /** By estimator, by trader: index into LETTERS, or UNGRADED. */
  readonly letters: readonly Uint8Array[];
  /** By trader: published score; NaN when ungraded. */
  readonly scores: Float64Array;
}

const DAY = 86_400;
export const REFRESH_DAYS = 7;
const MONTH_DAYS = 30;

/**
 * Walks time forward. A bet's letters come from markets that had settled strictly before it, and from a
 * population that is refreshed from such markets once a week. Nothing later is used.
 */
export function walkForward(data: StudyData): GradedWalk {
  const { bets } = data;
  const records = Array.from({ length: data.traderCount }, () => new TraderRecord());
  const letters = ESTIMATORS.map(() => new Uint8Array(bets.count).fill(UNGRADED));
  const forecast = new Float64Array(bets.count).fill(Number.NaN);
  const months: MonthEnd[] = [];
  const grader = new Grader(records);
  const settlements = listSettlements(data);
  let settled = 0;
  const start = bets.at[0] ?? 0;
  let nextRefresh = start + REFRESH_DAYS * DAY;
  let nextMonth = start + MONTH_DAYS * DAY;

  const settleBefore = (time: number): void => {
    for (; settled < settlements.length && nth(settlements, settled).at < time; settled += 1) {
      const { market, at, bets: own } = nth(settlements, settled);
      const cluster = nth(data.clusterOfMarket, market);
      for (const bet of own) {
        const wallet = nth(bets.trader, bet);
        const price = nth(bets.price, bet);
        const settledBet = { cluster: String(cluster), price, usd: nth(bets.usd, bet), payout: nth(bets.payout, bet) };
        nth(records, wallet).settle(cluster, market, settledBet, bets.isSale[bet] === 1, at);
        grader.invalidate(wallet);
      }
    }
  };
  for (let bet = 0; bet < bets.count; bet += 1) {
    const at = nth(bets.at, bet);
    for (; nextRefresh <= at; nextRefresh += REFRESH_DAYS * DAY) {
      settleBefore(nextRefresh);
      grader.refresh(nextRefresh);
    }
    for (; nextMonth <= at; nextMonth += MONTH_DAYS * DAY) {
      settleBefore(nextMonth);
      months.push(grader.monthEnd());
    }
    settleBefore(at);
    if (bets.isSale[bet] === 1) continue;
    const wallet = nth(bets.trader, bet);
    const known = grader.lettersOf(wallet);
    for (let estimator = 0; estimator < known.length; estimator += 1)
      nth(letters, estimator)[bet] = nth(known, estimator);
    forecast[bet] = grader.forecastOf(wallet);
  }
  settleBefore(Number.POSITIVE_INFINITY);
  return { letters, forecast, months, records, population: grader.population };
}

interface Settlement {
  readonly market: number;
  readonly at: number;
  readonly bets: readonly number[];
}

/**
 * Bets settle with their market, or when made if that is later. Without a known time they settle after
 * everything else.
 */
function listSettlements({ bets, settledAt }: StudyData): readonly Settlement[] {
  const byMarket: number[][] = Array.from({ length: settledAt.length }, () => []);
  const late: Settlement[] = [];
  for (let bet = 0; bet < bets.count; bet += 1) {
    if (Number.isNaN(nth(bets.payout, bet))) continue;
    const market = nth(bets.market, bet);
    if (nth(settledAt, market) <= nth(bets.at, bet)) late.push({ market, at: nth(bets.at, bet), bets: [bet] });
    else nth(byMarket, market).push(bet);
  }
  const timely = byMarket
    .map((own, market) => ({ market, at: Math.min(nth(settledAt, market), Number.MAX_VALUE), bets: own }))
    .filter(({ bets: own }) => own.length > 0);
  return [...timely, ...late].sort((a, b) => a.at - b.at || a.market - b.market);
}

/** Letters of traders by all estimators, recomputed when a trader's record or the population has changed. */
class Grader {
  readonly #records: readonly TraderRecord[];
  readonly #letters: (Uint8Array | null)[];
  readonly #forecasts: Float64Array;
  #fitted: readonly {
    readonly valueOf: (record: TraderRecord) => number | null;
    readonly floors: readonly number[];
  }[] = [];
  population: SkillPopulation | null = null;

  constructor(records: readonly TraderRecord[]) {
    this.#records = records;
    this.#letters = records.map(() => null);
    this.#forecasts = new Float64Array(records.length);
  }

  invalidate(wallet: number): void {
    this.#letters[wallet] = null;
  }

  refresh(at: number): void {
    this.#letters.fill(null);
    const known = this.#records.filter((record) => isEnoughEvidence(record.evidence.published));
    this.population = estimatePopulation(known.map((record) => record.evidence.published));
    if (this.population === null) return;
    const counts = LETTERS.map(() => 0);
    for (const record of known)
      counts[LETTERS.indexOf(gradeOf(record.evidence.published, this.population).grade ?? "")] =
        nth(counts, LETTERS.indexOf(gradeOf(record.evidence.published, this.population).grade ?? "")) + 1;
    this.#fitted = ESTIMATORS.map((estimator) => {
      const valueOf = estimator.fit(known, at);
      return {
        valueOf,
        floors: cutLike(
          Float64Array.from(known, (record) => valueOf(record) ?? Number.NEGATIVE_INFINITY),
          counts,
        ),
      };
    });
  }

  lettersOf(wallet: number): Uint8Array {
    const cached = this.#letters[wallet];
    if (cached) return cached;
    const record = nth(this.#records, wallet);
    const grade = gradeOf(record.evidence.published, this.population);
    const isGraded = grade.grade !== null && this.#fitted.length > 0;
    const letters = Uint8Array.from(ESTIMATORS, ({ name }, index) => {
      if (!isGraded) return UNGRADED;
      if (name === PUBLISHED) return LETTERS.indexOf(grade.grade ?? "");
      const { valueOf, floors } = nth(this.#fitted, index);
      const value = valueOf(record);
      return value === null ? UNGRADED : letterByFloors(value, floors);
    });
    this.#letters[wallet] = letters;
    this.#forecasts[wallet] = isGraded ? (grade.components?.expectedPoints ?? Number.NaN) : Number.NaN;
    return letters;
  }

  forecastOf(wallet: number): number {
    this.lettersOf(wallet);
    return nth(this.#forecasts, wallet);
  }

  monthEnd(): MonthEnd {
    const all = this.#records.map((_, wallet) => this.lettersOf(wallet));
    return {
      letters: ESTIMATORS.map((_, estimator) => Uint8Array.from(all, (letters) => nth(letters, estimator))),
      scores: Float64Array.from(
        this.#records,
        (record) => gradeOf(record.evidence.published, this.population).score ?? Number.NaN,
      ),
    };
  }
}
