import type { Check } from "../run-checks.ts";
import type { Question } from "../compare.ts";
import type { AuditContext } from "./context.ts";
import { lastTradeQuestions } from "./last-trades.ts";
import { leaderboardQuestions, sharpFlowQuestions, trendingQuestions } from "./lists.ts";
import { batchFlowQuestions, candleQuestions, flowQuestions, holderQuestions } from "./market-figures.ts";
import { exploreQuestions, searchQuestions, snapshotQuestions } from "./markets.ts";
import {
  allPositionQuestions,
  largePositionQuestions,
  marketPositionQuestions,
  timelineQuestions,
  traderPositionQuestions,
} from "./positions.ts";
import { batchTraderQuestions, contextQuestions, pnlQuestions, traderQuestions } from "./traders.ts";
import { largeTradeQuestions, reportQuestions, singleTradeQuestions } from "./trades.ts";

type Questions = (context: AuditContext) => readonly Question[];

/**
 * Every audited operation, and how many seconds its response may lag behind the ledger, in addition to the
 * age that the response states itself (`cache_age_s`, the build time of a list). A read that folds at request
 * time may not lag.
 */
const TABLE: readonly (readonly [operation: string, lagSeconds: number, because: string, questions: Questions])[] = [
  ["getMarketSnapshot", 0, "computed at request time", snapshotQuestions],
  ["exploreMarkets", 0, "prices and states are computed at request time", exploreQuestions],
  ["searchMarkets", 0, "computed at request time", searchQuestions],
  ["getMarketFlow", 0, "computed at request time", flowQuestions],
  ["batchGetMarketFlow", 0, "computed at request time", batchFlowQuestions],
  ["getMarketHolders", 0, "values are computed at request time, shares are those of the stated scan", holderQuestions],
  ["getMarketCandles", 60, "a job updates the days from the ledger each minute", candleQuestions],
  ["listPositions (traders)", 0, "computed at request time", traderPositionQuestions],
  ["listPositions (markets)", 5, "rows are selected by the values of the stated time", marketPositionQuestions],
  ["listPositions (all)", 5, "rows are selected by the values of the stated time", allPositionQuestions],
  ["listLargePositions", 30, "the list is rebuilt after a change", largePositionQuestions],
  ["getPositionTimeline", 0, "computed at request time", timelineQuestions],
  ["batchGetTraders", 0, "computed at request time", batchTraderQuestions],
  ["getTrader", 0, "computed at request time", traderQuestions],
  ["getTraderPnl", 0, "computed at request time", pnlQuestions],
  ["getTraderContext", 0, "computed at request time", contextQuestions],
  ["listLeaderboard", 5, "built at the stated time; it may miss transactions open at that time", leaderboardQuestions],
  ["listTrendingWallets", 0, "each outcome is valued at one moment from the stated time on", trendingQuestions],
  ["listSharpMoneyFlows", 60, "the list is rebuilt after a change", sharpFlowQuestions],
  ["listLargeTradeHistory", 0, "recorded in the same transaction as the fills", largeTradeQuestions],
  ["getLargeTrade", 0, "stored facts", singleTradeQuestions],
  ["getDailyReportSnapshot", 300, "a job rebuilds the day's report", reportQuestions],
  ["outcomes.last_trade_at", 5, "written with the fills", lastTradeQuestions],
];

/** The first read of a market's holders waits for the scan of that market. */
const SLOW = new Set(["getMarketHolders"]);

export const checksFor = (context: AuditContext): Check[] =>
  TABLE.map(([operation, lagSeconds, because, questions]) => ({
    operation,
    lagSeconds,
    because,
    isSlow: SLOW.has(operation),
    questions: async () => questions(context),
  }));
