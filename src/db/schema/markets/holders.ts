import { index, integer, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import { instant, microShares, rowId } from "../../columns.ts";

/** The scan of all holders of a market's outcomes. It is repeated while clients request it. */
export const holderScans = pgTable(
  "holder_scans",
  {
    marketId: rowId("market_id").primaryKey(),
    requestedAt: instant("requested_at").notNull(),
    enqueuedAt: instant("enqueued_at"),
    /** When the last complete scan was read; null before the first. */
    fetchedAt: instant("fetched_at"),
    /** Number of on-chain wallets that hold any outcome, graded or not. */
    walletCount: integer("wallet_count"),
    lastError: text("last_error"),
  },
  (table) => [index("holder_scans_requested").on(table.requestedAt)],
);

/** The graded traders in a market's last complete scan. Each scan replaces them. */
export const marketHolders = pgTable(
  "market_holders",
  {
    marketId: rowId("market_id").notNull(),
    traderId: rowId("trader_id").notNull(),
    outcomeIndex: smallint("outcome_index").notNull(),
    sharesMicro: microShares("shares_micro").notNull(),
  },
  (table) => [primaryKey({ columns: [table.marketId, table.traderId, table.outcomeIndex] })],
);
