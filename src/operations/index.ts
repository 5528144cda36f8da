import type { Operation } from "../api/operation.ts";
import { ACCOUNT_OPERATIONS } from "./account/index.ts";
import { CONTENT_OPERATIONS } from "./content/index.ts";
import { EVENT_OPERATIONS } from "./events/index.ts";
import { LARGE_TRADE_OPERATIONS } from "./large-trades/index.ts";
import { LEADERBOARD_OPERATIONS } from "./leaderboard/index.ts";
import { MARKET_OPERATIONS } from "./markets/index.ts";
import { MONEY_FLOW_OPERATIONS } from "./money-flows/index.ts";
import { SUSPICIOUS_TRADE_OPERATIONS } from "./suspicious-trades/index.ts";
import { POSITION_OPERATIONS } from "./positions/index.ts";
import { REPORT_OPERATIONS } from "./reports/index.ts";
import { defineApiDiscovery } from "./system/get-api-discovery.ts";
import { SYSTEM_OPERATIONS } from "./system/index.ts";
import { TRADER_OPERATIONS } from "./traders/index.ts";
import { WEBHOOK_OPERATIONS } from "./webhooks/index.ts";

/** The registry: everything the API answers. */
export const OPERATIONS: readonly Operation[] = [
  defineApiDiscovery(() => OPERATIONS),
  ...SYSTEM_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
  ...TRADER_OPERATIONS,
  ...LARGE_TRADE_OPERATIONS,
  ...LEADERBOARD_OPERATIONS,
  ...MARKET_OPERATIONS,
  ...REPORT_OPERATIONS,
  ...CONTENT_OPERATIONS,
  ...POSITION_OPERATIONS,
  ...MONEY_FLOW_OPERATIONS,
  ...SUSPICIOUS_TRADE_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
];
