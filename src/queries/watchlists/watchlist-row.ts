import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { WatchlistRef } from "../../domain/watchlists/watchlist-matches.ts";
import { watchlists } from "../../db/schema.ts";
import { alias, integer, isoText } from "../../db/sql.ts";

export const w = alias(watchlists, "w");

/** A watchlist without its addresses. */
export const WatchlistRow = z.object({
  id: integer,
  name: z.string(),
  wallet_count: z.number().int(),
  created_at: z.string(),
  updated_at: z.string(),
});

export type WatchlistRow = z.output<typeof WatchlistRow>;

/** The columns of a `WatchlistRow`, from the watchlist with alias `w`. */
export const watchlistColumns: SQL = sql`
  ${w.id}::text as id, ${w.name}, ${w.walletCount}, ${isoText(w.createdAt)} as created_at,
  ${isoText(w.updatedAt)} as updated_at`;

/** SQL condition: `w` is the account's watchlist. */
export const isOwned = ({ accountId, id }: WatchlistRef): SQL =>
  sql`${w.id} = ${id}::bigint and ${w.accountId} = ${accountId}::bigint`;

/** What an account stores. */
export interface WatchlistContent {
  readonly name: string;
  /** In lower case, each once. */
  readonly wallets: readonly string[];
}
