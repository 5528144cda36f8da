import type { Operation } from "../../api/operation.ts";
import { batchGetTraders } from "./batch-get-traders.ts";
import { getTrader } from "./get-trader.ts";
import { getTraderContext } from "./get-trader-context.ts";
import { getTraderContextMarkdown } from "./get-trader-context-markdown.ts";
import { getTraderCategoryRecords } from "./get-trader-category-records.ts";
import { getTraderGradeAt } from "./get-trader-grade-at.ts";
import { getTraderPnl } from "./get-trader-pnl.ts";

export const TRADER_OPERATIONS: readonly Operation[] = [
  getTrader,
  batchGetTraders,
  getTraderContext,
  getTraderContextMarkdown,
  getTraderPnl,
  getTraderGradeAt,
  getTraderCategoryRecords,
];
