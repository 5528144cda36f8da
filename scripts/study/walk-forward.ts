import { closingPriceFor, type ClosingTrade } from "../../src/scoring/skill/closing-price.ts";
import { gradeOf, isRecentDecisive, type GradeResult } from "../../src/scoring/skill/grade.ts";
import { CLOSE_TRADES, CLOSE_WINDOW_SECONDS } from "../../src/scoring/skill/parameters.ts";
import type { Letter } from "../../src/scoring/skill/letter.ts";
import { estimatePopulation, isEnoughEvidence, type SkillPopulation } from "../../src/scoring/skill/population.ts";
import { ESTIMATORS, PUBLISHED, type Estimator } from "./estimators.ts";
import { cutLike, letterByFloors, LETTERS, UNGRADED } from "./letters.ts";
import type { StudyData } from "./study-data.ts";
import { TraderRecord, type StudyBet, type Variant } from "./trader-record.ts";
import { nth } from "./nth.ts";

/**
 * Every purchase with its trader's letter just before, by each estimator, and the forecast of the published
 * method.
 */
export interface GradedWalk {
  readonly estimators: readonly Estimator[];
  /** By estimator, by bet: index into LETTERS, or UNGRADED. */
  readonly letters: readonly Uint8Array[];
  /** By bet: expected edge in points just before; NaN when ungraded. */
  readonly forecast: Float64Array;
  /** Letters and scores at the end of each month. */
  readonly months: readonly MonthEnd[];
  /** By trader, at the end. */
  readonly records: readonly TraderRecord[];
  readonly population: SkillPopulation | null;
  readonly flaps: LetterChanges;
}

/** How often published letters change, as the product publishes them: at each settlement and each refresh. */
export interface LetterChanges {
  readonly changes: number;
  /** Changes back to the letter before the last one, within a week of that change. */
  readonly straightBack: number;
  /** Graded traders, summed over months. */
  readonly graderMonths: number;
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
export function walkForward(data: StudyData, estimators: readonly Estimator[] = ESTIMATORS): GradedWalk {
  const { bets } = data;
  const records = Array.from({ length: data.traderCount }, () => new TraderRecord(variantsOf(estimators)));
  const letters = estimators.map(() => new Uint8Array(bets.count).fill(UNGRADED));
  const forecast = new Float64Array(bets.count).fill(Number.NaN);
  const months: MonthEnd[] = [];
  const grader = new Grader(records, estimators);
  const settlements = listSettlements(data);
  let settled = 0;
  const start = bets.at[0] ?? 0;
  let nextRefresh = start + REFRESH_DAYS * DAY;
  let nextMonth = start + MONTH_DAYS * DAY;

  const settleBefore = (time: number): void => {
    for (; settled < settlements.length && nth(settlements, settled).at < time; settled += 1) {
      const { market, at, bets: own } = nth(settlements, settled);
      const trades = closingTrades(data, market, own);
      for (const [trader, its] of Map.groupBy(own, (bet) => nth(bets.trader, bet))) {
        nth(records, trader).settle(
          its.map((bet) => studyBet(data, bet, trades)),
          at,
        );
        grader.regrade(trader, at);
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
      months.push(grader.monthEnd(nextMonth));
    }
    settleBefore(at);
    if (bets.isSale[bet] === 1) continue;
    const wallet = nth(bets.trader, bet);
    grader.regradeStale(wallet, at);
    const known = grader.lettersOf(wallet);
    for (let estimator = 0; estimator < known.length; estimator += 1)
      nth(letters, estimator)[bet] = nth(known, estimator);
    forecast[bet] = grader.forecastOf(wallet);
  }
  settleBefore(Number.POSITIVE_INFINITY);
  return {
    estimators,
    letters,
    forecast,
    months,
    records,
    population: grader.population,
    flaps: { ...grader.flaps, graderMonths: months.reduce((sum, { scores }) => sum + countNumbers(scores), 0) },
  };
}

/** All variants, unless the published method is walked alone. */
const variantsOf = (estimators: readonly Estimator[]): readonly Variant[] | undefined =>
  estimators.every(({ name }) => name === PUBLISHED) ? ["published"] : undefined;

const countNumbers = (values: Float64Array): number => values.filter((value) => !Number.isNaN(value)).length;

function studyBet(data: StudyData, bet: number, trades: readonly ClosingTrade<number>[]): StudyBet {
  const { bets, clusterOfMarket, storyOfMarket, closesAt } = data;
  const market = nth(bets.market, bet);
  const outcome = nth(bets.side, bet);
  const isEarly = trades.length > 0 && nth(bets.at, bet) < (closesAt?.[market] ?? Number.NaN);
  const close = isEarly ? closingPriceFor(trades, nth(bets.trader, bet)) : null;
  return {
    cluster: nth(clusterOfMarket, market),
    story: storyOfMarket?.[market] ?? -1,
    market,
    outcome,
    price: nth(bets.price, bet),
    usd: nth(bets.usd, bet),
    payout: nth(bets.payout, bet),
    isSale: bets.isSale[bet] === 1,
    isMaker: bets.isMaker?.[bet] === 1,
    close: close === null || outcome === 0 ? close : 1 - close,
  };
}

/** The last trades before a market's close, newest first. Their transactions are not recorded: each bet is one. */
function closingTrades(
  { bets, closesAt }: StudyData,
  market: number,
  own: readonly number[],
): readonly ClosingTrade<number>[] {
  const closes = closesAt?.[market] ?? Number.NaN;
  return own
    .filter((bet) => nth(bets.at, bet) < closes && nth(bets.at, bet) >= closes - CLOSE_WINDOW_SECONDS)
    .slice(-CLOSE_TRADES)
    .reverse()
    .map((bet) => ({
      transaction: bet,
      trader: nth(bets.trader, bet),
      price: bets.side[bet] === 0 ? nth(bets.price, bet) : 1 - nth(bets.price, bet),
    }));
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
  readonly #estimators: readonly Estimator[];
  readonly #letters: (Uint8Array | null)[];
  readonly #grades: (GradeResult | null)[];
  /** By trader: when its letter last changed, and the letter before. */
  readonly #changedAt: Float64Array;
  /** By trader: when evidence that decides its letter stops being recent. */
  readonly #recentUntil: Float64Array;
  readonly #before: (Letter | null)[];
  #fitted: readonly {
    readonly valueOf: (record: TraderRecord) => number | null;
    readonly floors: readonly number[];
  }[] = [];
  population: SkillPopulation | null = null;
  readonly flaps = { changes: 0, straightBack: 0 };

  constructor(records: readonly TraderRecord[], estimators: readonly Estimator[]) {
    this.#records = records;
    this.#estimators = estimators;
    this.#letters = records.map(() => null);
    this.#grades = records.map(() => null);
    this.#before = records.map(() => null);
    this.#changedAt = new Float64Array(records.length).fill(Number.NEGATIVE_INFINITY);
    this.#recentUntil = new Float64Array(records.length).fill(Number.POSITIVE_INFINITY);
  }

  regrade(wallet: number, at: number): void {
    this.#letters[wallet] = null;
    if (this.population === null) return;
    const last = this.#grades[wallet]?.grade ?? null;
    const record = nth(this.#records, wallet);
    const evidence = record.evidence.published;
    const recent = isRecentDecisive(evidence, this.population, last) ? record.recentEvidence(at) : null;
    this.#recentUntil[wallet] = recent?.until ?? Number.POSITIVE_INFINITY;
    const next = gradeOf(evidence, this.population, recent?.evidence ?? null, last);
    this.#grades[wallet] = next;
    if (last === null || next.grade === null || last === next.grade) return;
    this.flaps.changes += 1;
    if (this.#before[wallet] === next.grade && at - nth(this.#changedAt, wallet) <= 7 * DAY)
      this.flaps.straightBack += 1;
    this.#before[wallet] = last;
    this.#changedAt[wallet] = at;
  }

  /** Grades a trader again when its evidence is no longer recent. */
  regradeStale(wallet: number, at: number): void {
    if (nth(this.#recentUntil, wallet) <= at) this.regrade(wallet, at);
  }

  refresh(at: number): void {
    const known = this.#records.filter((record) => isEnoughEvidence(record.evidence.published));
    this.population = estimatePopulation(known.map((record) => record.evidence.published));
    if (this.population === null) return;
    this.#records.forEach((_, wallet) => this.regrade(wallet, at));
    const counts = LETTERS.map(
      (letter) => this.#grades.filter((grade) => grade !== null && grade.grade === letter).length,
    );
    this.#fitted = this.#estimators.map((estimator) => {
      if (estimator.name === PUBLISHED) return { valueOf: () => null, floors: [] };
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
    const grade = this.#grades[wallet]?.grade ?? null;
    const letters = Uint8Array.from(this.#estimators, ({ name }, index) => {
      if (grade === null) return UNGRADED;
      if (name === PUBLISHED) return LETTERS.indexOf(grade);
      const { valueOf, floors } = nth(this.#fitted, index);
      const value = valueOf(record);
      return value === null ? UNGRADED : letterByFloors(value, floors);
    });
    this.#letters[wallet] = letters;
    return letters;
  }

  forecastOf(wallet: number): number {
    const grade = this.#grades[wallet];
    return grade?.grade ? (grade.components?.expectedPoints ?? Number.NaN) : Number.NaN;
  }

  monthEnd(at: number): MonthEnd {
    this.#records.forEach((_, wallet) => this.regradeStale(wallet, at));
    const all = this.#records.map((_, wallet) => this.lettersOf(wallet));
    return {
      letters: this.#estimators.map((_, estimator) => Uint8Array.from(all, (letters) => nth(letters, estimator))),
      scores: Float64Array.from(this.#grades, (grade) => grade?.score ?? Number.NaN),
    };
  }
}
