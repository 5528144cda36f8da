import { ESTIMATORS, PUBLISHED } from "../estimators.ts";
import { LETTERS, UNGRADED } from "../letters.ts";
import { FORECAST_EDGES, LARGE_USD, type Stability, type StudyResult } from "../measure-walk.ts";
import { nth } from "../nth.ts";
import { rankCorrelation } from "../rank-correlation.ts";
import { StreamMeans } from "./stream-means.ts";
import { walkStream } from "./stream-walk.ts";
import type { StreamedData } from "./streamed-data.ts";
import type { TraderStates } from "./trader-states.ts";

const BINS = FORECAST_EDGES.length - 1;
/** Samples of the means: all purchases, all sales, purchases by letter, large ones by letter, by forecast. */
const SAMPLE = {
  purchases: 0,
  sales: 1,
  letters: 2,
  large: 2 + LETTERS.length,
  forecasts: 2 + 2 * LETTERS.length,
  count: 2 + 2 * LETTERS.length + BINS,
} as const;

/** `measureWalk` of the published method over a stream. Latent skill and the other estimators are left out. */
export function measureStream(data: StreamedData): StudyResult {
  const means = new StreamMeans(SAMPLE.count, data.traderCount);
  const months = new MonthPairs();
  const forecastSums = new Float64Array(BINS);
  let purchases = 0;
  let graded = 0;
  const traders = walkStream(data, (states) => ({
    onBet({ trader, price, usd, payout, isSale }, cluster) {
      const edge = 100 * (payout - price);
      means.add(isSale ? SAMPLE.sales : SAMPLE.purchases, edge, cluster, trader);
      if (isSale) return;
      purchases += 1;
      const forecast = nth(states.forecast, trader);
      if (Number.isNaN(forecast)) return;
      graded += 1;
      const letter = nth(states.letter, trader);
      means.add(SAMPLE.letters + letter, edge, cluster, trader);
      if (usd >= LARGE_USD) means.add(SAMPLE.large + letter, edge, cluster, trader);
      const bin = FORECAST_EDGES.findIndex((to, index) => index > 0 && forecast < to) - 1;
      means.add(SAMPLE.forecasts + bin, edge, cluster, trader);
      forecastSums[bin] = nth(forecastSums, bin) + forecast;
    },
    onMonthEnd: (monthEnd) => months.add(monthEnd),
    onClose: (cluster) => means.close(cluster),
  }));
  const all = means.finish();
  const shareOf = (isCounted: (profitUsd: number) => boolean): number | null => {
    let [active, counted] = [0, 0];
    traders.bets.forEach((bets, trader) => {
      active += bets > 0 ? 1 : 0;
      counted += bets > 0 && isCounted(nth(traders.profitUsd, trader)) ? 1 : 0;
    });
    return active === 0 ? null : counted / active;
  };
  return {
    ...{ title: data.title, isGenerated: data.isGenerated, notes: data.notes, bets: data.betCount },
    traders: traders.bets.reduce((count, bets) => count + (bets > 0 ? 1 : 0), 0),
    settledPurchases: purchases,
    gradedPurchases: graded,
    allPurchases: nth(all, SAMPLE.purchases),
    allSales: nth(all, SAMPLE.sales),
    estimators: [
      {
        name: PUBLISHED,
        title: ESTIMATORS.find(({ name }) => name === PUBLISHED)?.title ?? "",
        edges: all.slice(SAMPLE.letters, SAMPLE.large),
        largeEdges: all.slice(SAMPLE.large, SAMPLE.forecasts),
        latentCorrelation: null,
        letterRetention: months.retention(),
      },
    ],
    calibration: FORECAST_EDGES.slice(1).flatMap((to, bin) => {
      const came = nth(all, SAMPLE.forecasts + bin);
      const from = nth(FORECAST_EDGES, bin);
      return came.count === 0 ? [] : [{ from, to, forecast: nth(forecastSums, bin) / came.count, came }];
    }),
    stability: months.stability(),
    losingShare: shareOf((profitUsd) => profitUsd < 0),
    winningShare: shareOf((profitUsd) => profitUsd > 0),
    finalLetters: months.lastLetters(),
  };
}

/** Letters and scores from each month's end to the next. Only the last month is kept. */
class MonthPairs {
  #letters: Uint8Array | null = null;
  #scores = new Float64Array(0);
  readonly #counts = LETTERS.map(() => Array.from({ length: LETTERS.length + 1 }, () => 0));
  readonly #before: number[] = [];
  readonly #after: number[] = [];

  add({ letter, score }: TraderStates): void {
    this.#letters?.forEach((before, trader) => {
      if (before === UNGRADED) return;
      const row = nth(this.#counts, before);
      const after = nth(letter, trader);
      row[after] = nth(row, after) + 1;
      if (Number.isNaN(nth(score, trader))) return;
      this.#before.push(nth(this.#scores, trader));
      this.#after.push(nth(score, trader));
    });
    this.#letters = Uint8Array.from(letter);
    this.#scores = Float64Array.from(score);
  }

  retention(): number | null {
    const both = sum(this.#counts.map((row) => sum(row.slice(0, UNGRADED))));
    return both === 0 ? null : sum(this.#counts.map((row, letter) => nth(row, letter))) / both;
  }

  stability(): Stability | null {
    const total = sum(this.#counts.flat());
    if (total === 0) return null;
    const near = this.#counts.flatMap((row, letter) =>
      row.filter((_, next) => Math.abs(next - letter) <= 1 && next !== UNGRADED),
    );
    return {
      transitions: this.#counts.map((row) => {
        const rowTotal = sum(row);
        return row.map((count) => (rowTotal === 0 ? 0 : count / rowTotal));
      }),
      withinOne: sum(near) / total,
      scoreCorrelation: rankCorrelation(this.#before, this.#after),
    };
  }

  lastLetters(): readonly number[] {
    const counts = LETTERS.map(() => 0);
    this.#letters?.forEach((letter) => {
      if (letter !== UNGRADED) counts[letter] = nth(counts, letter) + 1;
    });
    return counts;
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
