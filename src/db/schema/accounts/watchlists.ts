import { index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { id, instant, rowId } from "../../columns.ts";
import { accounts } from "./accounts.ts";

/** A list of wallet addresses by which an account filters large trades. */
export const watchlists = pgTable(
  "watchlists",
  {
    id: id(),
    accountId: rowId("account_id")
      .notNull()
      .references(() => accounts.id),
    name: text("name").notNull(),
    /** Number of its rows in `watchlist_wallets`. */
    walletCount: integer("wallet_count").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    /** The last replacement that changed its name or its addresses. */
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (table) => [index("watchlists_account").on(table.accountId, table.id)],
);

/** The addresses of a watchlist, in lower case. Events are matched by the index of the address. */
export const watchlistWallets = pgTable(
  "watchlist_wallets",
  {
    watchlistId: rowId("watchlist_id")
      .notNull()
      .references(() => watchlists.id, { onDelete: "cascade" }),
    wallet: text("wallet").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.watchlistId, table.wallet] }),
    index("watchlist_wallets_wallet").on(table.wallet, table.watchlistId),
  ],
);
