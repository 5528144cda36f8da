import type { Check } from "../run-checks.ts";
import type { Question } from "../compare.ts";
import type { AuditContext } from "./context.ts";
import { lastTradeQuestions } from "./last-trades.ts";
import { leaderboardQuestions, sharpFlowQuestions, trendingQuestions } from "./lists.ts";
import { batchFlowQuestions, candleQuestions, flowQuestions, holderQuestions } from "./market-figures.ts";
import { exploreQuestions, searchQuestions, snapshotQuestions } from "./markets.ts";
import {
  everybodysQuestions,
  largePositionQuestions,
  marketPositionQuestions,
  timelineQuestions,
  walletPositionQuestions,
} from "./positions.ts";
import { batchTraderQuestions, contextQuestions, pnlQuestions, traderQuestions } from "./traders.ts";
import { largeTradeQuestions, reportQuestions, singleTradeQuestions } from "./trades.ts";

type Questions = (context: AuditContext) => readonly Question[];

/**
 * Every operation that is audited, and how many seconds its answer may be behind what is recorded, beside the age that the answer states itself
 * (`cache_age_s`, the time a list was built): what a read folds as it is asked may be behind nothing.
 */
const TABLE: readonly (readonly [operation: string, lagSeconds: number, because: string, questions: Questions])[] = [
  ["getMarketSnapshot", 0, "computed as it is asked", snapshotQuestions],
  ["exploreMarkets", 0, "prices and states are computed as it is asked", exploreQuestions],
  ["searchMarkets", 0, "computed as it is asked", searchQuestions],
  ["getMarketFlow", 0, "computed as it is asked", flowQuestions],
  ["batchGetMarketFlow", 0, "computed as it is asked", batchFlowQuestions],
  ["getMarketHolders", 0, "values are computed as it is asked, shares are those of the stated scan", holderQuestions],
  ["getMarketCandles", 60, "days follow the ledger by a job each minute", candleQuestions],
  ["listPositions (wallets)", 0, "computed as it is asked", walletPositionQuestions],
  ["listPositions (markets)", 5, "pages follow values of some seconds ago", marketPositionQuestions],
  ["listPositions (everybody)", 5, "pages follow values of some seconds ago", everybodysQuestions],
  ["listLargePositions", 30, "a list that is rebuilt when it has changed", largePositionQuestions],
  ["getPositionTimeline", 0, "computed as it is asked", timelineQuestions],
  ["batchGetTraders", 0, "computed as it is asked", batchTraderQuestions],
  ["getTrader", 0, "computed as it is asked", traderQuestions],
  ["getTraderPnl", 0, "computed as it is asked", pnlQuestions],
  ["getTraderContext", 0, "computed as it is asked", contextQuestions],
  ["listLeaderboard", 5, "of the time that it states; transactions under way then count or not", leaderboardQuestions],
  ["listTrendingWallets", 0, "all_time_pnl_usd is computed as it is asked", trendingQuestions],
  ["listSharpMoneyFlows", 60, "a list that is rebuilt when it has changed", sharpFlowQuestions],
  ["listLargeTradeHistory", 0, "captured with the fills", largeTradeQuestions],
  ["getLargeTrade", 0, "as recorded", singleTradeQuestions],
  ["getDailyReportSnapshot", 300, "the day's report is rebuilt by a job", reportQuestions],
  ["outcomes.last_trade_at", 5, "kept with the fills", lastTradeQuestions],
];

/** The first read of a market's holders waits for their scan. */
const SLOW = new Set(["getMarketHolders"]);

export const checksFor = (context: AuditContext): Check[] =>
  TABLE.map(([operation, lagSeconds, because, questions]) => ({
    operation,
    lagSeconds,
    because,
    isSlow: SLOW.has(operation),
    questions: async () => questions(context),
  }));
