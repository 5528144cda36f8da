import type { StoredProfile } from "../../domain/traders/stored-profile.ts";
import { categoryRecords } from "../../scoring/metrics/category-records.ts";
import { categoryStrengths } from "../../scoring/metrics/category-strengths.ts";
import { classifyStrategy, type CurrentStrategy } from "../../scoring/metrics/classify-strategy.ts";
import { toDailySeries, type DailyPoint, type TraderDay } from "../../scoring/metrics/series/daily-series.ts";
import { dayNumber } from "../../scoring/metrics/series/day-number.ts";
import { drawdowns, type DrawdownSpan } from "../../scoring/metrics/series/drawdown.ts";
import type { MetricPopulation } from "../../scoring/metrics/quant-metrics.ts";
import type { SettledMarket } from "../../scoring/metrics/settled-market.ts";
import { streakTier, trailingForm, type StreakTier } from "../../scoring/metrics/streak-tier.ts";
import { measureTrader } from "../../scoring/metrics/trader-measures.ts";
import { dayStreaks, decidedDays } from "../../scoring/metrics/series/win-days.ts";
import { winRate, winRecord, type WinRecord } from "../../scoring/metrics/win-record.ts";
import type { BoughtByCategory } from "./bought-outcomes.ts";
import type { TraderMarket } from "./trader-markets.ts";
import { storeCategorySkill } from "./store-category-skill.ts";
import { compareMeasures, storeMeasures } from "./stored-measures.ts";

/** The input of a trader's profile. */
export interface TraderHistory {
  readonly days: readonly TraderDay[];
  /** Every market in which the trader ever had shares. */
  readonly markets: readonly TraderMarket[];
  readonly bought: BoughtByCategory;
  /** Number of buys and sells, and of the UTC days with any. */
  readonly fills: number;
  readonly activeDays: number;
}

export interface ProfilePopulation extends MetricPopulation {
  /** Values of `trailingForm`, ascending; inactive traders are left out. */
  readonly forms: readonly number[];
}

export interface ComputedProfile {
  readonly strategy: CurrentStrategy | null;
  readonly streakTier: StreakTier | null;
  readonly form: number | null;
  readonly profile: StoredProfile;
}

/**
 * Computes a trader's profile from its whole history.
 *
 * @param asOf YYYY-MM-DD, the last UTC day that counts
 */
export function computeProfile(
  { days, markets, bought, fills, activeDays }: TraderHistory,
  asOf: string,
  population: ProfilePopulation,
): ComputedProfile {
  const last = dayNumber(asOf);
  const series = toDailySeries(days).filter((point) => point.dayNumber <= last);
  const settled = markets.filter(isSettled);
  const measures = storeMeasures(measureTrader(series, settled, asOf));
  const form = trailingForm(series, asOf);
  const strategy = classifyStrategy({ fills, activeDays, markets });
  return {
    strategy: strategy?.type ?? null,
    streakTier: streakTier(form, population.forms),
    form,
    profile: {
      as_of: asOf,
      measures,
      metrics: compareMeasures(measures, population),
      strategy:
        strategy === null
          ? null
          : {
              two_sided_share: strategy.measures.twoSidedShare,
              fills_per_active_day: strategy.measures.fillsPerActiveDay,
              leading_category: strategy.measures.leadingCategory,
              leading_share: strategy.measures.leadingShare,
              effective_categories: strategy.measures.effectiveCategories,
            },
      category_records: storeRecords(settled),
      category_strengths: storeStrengths(settled),
      category_skill: storeCategorySkill(bought),
      record: storeRecord(winRecord(settled)),
      days: storeDays(series),
      drawdown: storeDrawdowns(series),
    },
  };
}

const isSettled = (market: TraderMarket): market is TraderMarket & SettledMarket => market.settledAtMs !== null;

function storeRecords(settled: readonly SettledMarket[]): StoredProfile["category_records"] {
  return categoryRecords(settled).map(({ category, wins, decided, winRate: rate, status, games }) => ({
    category,
    wins,
    decided,
    win_rate: rate,
    status,
    games: games.map((game) => ({
      game: game.game,
      series_slug: game.seriesSlug,
      wins: game.wins,
      decided: game.decided,
      win_rate: game.winRate,
      status: game.status,
    })),
  }));
}

function storeStrengths(settled: readonly SettledMarket[]): StoredProfile["category_strengths"] {
  return categoryStrengths(settled).map((strength) => ({
    category: strength.category,
    wins: strength.wins,
    decided: strength.decided,
    win_rate: strength.winRate,
    expected_win_rate: strength.expectedWinRate,
    pnl_micro: String(strength.pnlMicro),
    cost_micro: String(strength.costMicro),
    return_on_cost: strength.returnOnCost,
  }));
}

const storeRecord = (record: WinRecord) => ({ wins: record.wins, decided: record.decided, win_rate: winRate(record) });

function storeDays(series: readonly DailyPoint[]): StoredProfile["days"] {
  const { current, longestWin, longestLoss } = dayStreaks(series);
  return {
    ...storeRecord(winRecord(decidedDays(series))),
    current_streak: current,
    longest_win_streak: longestWin,
    longest_loss_streak: longestLoss,
  };
}

function storeDrawdowns(series: readonly DailyPoint[]): StoredProfile["drawdown"] {
  const { deepest, current } = drawdowns(series);
  return { deepest: storeSpan(deepest), current: storeSpan(current) };
}

const storeSpan = ({ amountMicro, peakDay, troughDay, percentOfPeak }: DrawdownSpan) => ({
  amount_micro: String(amountMicro),
  peak_day: peakDay,
  trough_day: troughDay,
  percent_of_peak: percentOfPeak,
});
