import { index, integer, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import { instant, microShares, microUsd, rowId } from "../columns.ts";

/** The scan of everybody who holds a market's outcomes, made while somebody asks for it. */
export const holderScans = pgTable(
  "holder_scans",
  {
    marketId: rowId("market_id").primaryKey(),
    requestedAt: instant("requested_at").notNull(),
    enqueuedAt: instant("enqueued_at"),
    /** When the last whole scan was read; null before the first. */
    fetchedAt: instant("fetched_at"),
    /** Wallets holding any outcome, graded or not. */
    walletCount: integer("wallet_count"),
    lastError: text("last_error"),
  },
  (table) => [index("holder_scans_requested").on(table.requestedAt)],
);

/** The graded wallets of a market's last whole scan, replaced with each. */
export const marketHolders = pgTable(
  "market_holders",
  {
    marketId: rowId("market_id").notNull(),
    traderId: rowId("trader_id").notNull(),
    outcomeIndex: smallint("outcome_index").notNull(),
    sharesMicro: microShares("shares_micro").notNull(),
    /** As the provider values them; null when it does not. No answer shows it: shares are worth what src/db/market-price.ts says. */
    valueMicro: microUsd("value_micro"),
  },
  (table) => [primaryKey({ columns: [table.marketId, table.traderId, table.outcomeIndex] })],
);
