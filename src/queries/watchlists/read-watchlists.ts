import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import type { WatchlistRef } from "../../domain/watchlists/watchlist-matches.ts";
import { watchlistWallets } from "../../db/schema.ts";
import { alias, selectRow, selectRows } from "../../db/sql.ts";
import { isOwned, w, watchlistColumns, WatchlistRow } from "./watchlist-row.ts";

const x = alias(watchlistWallets, "x");

/** An account's watchlists, oldest first. */
export const listWatchlists = (db: Database, accountId: number): Promise<WatchlistRow[]> =>
  selectRows(
    db,
    sql`select ${watchlistColumns} from ${w} where ${w.accountId} = ${accountId}::bigint order by ${w.id}`,
    WatchlistRow,
  );

const FullRow = WatchlistRow.extend({ wallets: z.array(z.string()) });

/** A watchlist with its addresses, in order. @returns null when the account has none with this id */
export const findWatchlist = (db: Database, ref: WatchlistRef): Promise<z.output<typeof FullRow> | null> =>
  selectRow(
    db,
    sql`
      select ${watchlistColumns}, coalesce((
        select json_agg(${x.wallet} order by ${x.wallet}) from ${x} where ${x.watchlistId} = ${w.id}), '[]') as wallets
      from ${w} where ${isOwned(ref)}`,
    FullRow,
  );

/** SQL condition: the account has this watchlist. */
export const hasWatchlist = (ref: WatchlistRef): SQL => sql`exists (select from ${w} where ${isOwned(ref)})`;

/** SQL condition: an address, in lower case, is in the account's watchlist. */
export const isInWatchlist = (ref: WatchlistRef, wallet: SQL): SQL => sql`exists (
  select from ${x} where ${x.watchlistId} = (select ${w.id} from ${w} where ${isOwned(ref)}) and ${x.wallet} = ${wallet})`;
