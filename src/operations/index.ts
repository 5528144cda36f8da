import { isWebOnly, type Operation } from "../api/operation.ts";
import { ACCOUNT_OPERATIONS } from "./account/index.ts";
import { COMBO_OPERATIONS } from "./combos/index.ts";
import { CONTENT_OPERATIONS } from "./content/index.ts";
import { DATASET_OPERATIONS } from "./datasets/index.ts";
import { EDGE_OPERATIONS } from "./edge/index.ts";
import { EVENT_OPERATIONS } from "./events/index.ts";
import { EXPORT_OPERATIONS } from "./exports/index.ts";
import { GAME_OPERATIONS } from "./games/index.ts";
import { GRANT_OPERATIONS } from "./grants/index.ts";
import { KEY_OPERATIONS } from "./keys/index.ts";
import { LARGE_TRADE_OPERATIONS } from "./large-trades/index.ts";
import { LEADERBOARD_OPERATIONS } from "./leaderboard/index.ts";
import { MARKET_OPERATIONS } from "./markets/index.ts";
import { MONEY_FLOW_OPERATIONS } from "./money-flows/index.ts";
import { PICK_OPERATIONS } from "./picks/index.ts";
import { SUSPICIOUS_TRADE_OPERATIONS } from "./suspicious-trades/index.ts";
import { RECORD_OPERATIONS } from "./record/index.ts";
import { POSITION_OPERATIONS } from "./positions/index.ts";
import { REPORT_OPERATIONS } from "./reports/index.ts";
import { PROOF_OPERATIONS } from "./proofs/index.ts";
import { defineApiDiscovery } from "./system/get-api-discovery.ts";
import { SYSTEM_OPERATIONS } from "./system/index.ts";
import { TRADER_OPERATIONS } from "./traders/index.ts";
import { WATCHLIST_OPERATIONS } from "./watchlists/index.ts";
import { WEBHOOK_OPERATIONS } from "./webhooks/index.ts";

/** Registry of all operations. */
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
  ...GAME_OPERATIONS,
  ...EDGE_OPERATIONS,
  ...PICK_OPERATIONS,
  ...COMBO_OPERATIONS,
  ...RECORD_OPERATIONS,
  ...PROOF_OPERATIONS,
  ...EVENT_OPERATIONS,
  ...EXPORT_OPERATIONS,
  ...DATASET_OPERATIONS,
  ...WATCHLIST_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...KEY_OPERATIONS,
  ...GRANT_OPERATIONS,
];

/** The operations of the public contract. Both origins serve them. */
export const API_OPERATIONS: readonly Operation[] = OPERATIONS.filter((operation) => !isWebOnly(operation));

/** The website's own operations. */
export const WEB_OPERATIONS: readonly Operation[] = OPERATIONS.filter(isWebOnly);
