import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { watchlists, watchlistWallets } from "../../db/schema.ts";
import { array, columnNames, timestamp } from "../../db/sql.ts";
import { lockAccount } from "../accounts/account.ts";
import { w, watchlistColumns, WatchlistRow, type WatchlistContent } from "./watchlist-row.ts";

const INSERTED = columnNames(
  watchlists.accountId,
  watchlists.name,
  watchlists.walletCount,
  watchlists.createdAt,
  watchlists.updatedAt,
);

const Result = z.tuple([z.object({ present: z.number().int() }).loose()]);

/**
 * Stores a watchlist, unless the account already has `most`. Concurrent requests cannot exceed this limit.
 *
 * @returns null when the account is full
 */
export async function insertWatchlist(
  db: Database,
  accountId: number,
  { name, wallets }: WatchlistContent,
  most: number,
  now: Date,
): Promise<WatchlistRow | null> {
  const [, stored] = await db.batch([
    lockAccount(db, accountId),
    db.execute(sql`
      with counted as (select count(*)::int as present from ${w} where ${w.accountId} = ${accountId}::bigint),
      added as (
        insert into ${watchlists} (${INSERTED})
        select ${accountId}::bigint, ${name}, ${wallets.length}, ${timestamp(now)}, ${timestamp(now)}
        from counted where present < ${most}
        returning *
      ), filled as (
        insert into ${watchlistWallets} (${columnNames(watchlistWallets.watchlistId, watchlistWallets.wallet)})
        select added.id, wallet from added, unnest(${array(wallets, "text")}) as wallet
      )
      select counted.present, ${watchlistColumns} from counted left join added w on true`),
  ]);
  const [result] = Result.parse(stored.rows);
  return result.present >= most ? null : WatchlistRow.parse(result);
}
