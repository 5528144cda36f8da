import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import type { WatchlistRef } from "../../domain/watchlists/watchlist-matches.ts";
import { watchlistWallets } from "../../db/schema.ts";
import { alias, array, columnName, columnNames, timestamp } from "../../db/sql.ts";
import { isOwned, w, watchlistColumns, WatchlistRow, type WatchlistContent } from "./watchlist-row.ts";

const x = alias(watchlistWallets, "x");

/**
 * Replaces name and addresses of a watchlist; only rows that differ are written. Readers see the old list or the new
 * one. The same content again changes nothing, not even the time of the last change.
 *
 * @returns null when the account has none with this id
 */
export async function replaceWatchlist(
  db: Database,
  ref: WatchlistRef,
  { name, wallets }: WatchlistContent,
  now: Date,
): Promise<WatchlistRow | null> {
  const [, stored] = await db.batch([
    // Concurrent replacements run one after the other, each on the rows that the one before it committed.
    db.execute(sql`select from ${w} where ${isOwned(ref)} for no key update`),
    db.execute(sql`
      with wanted as (select wallet from unnest(${array(wallets, "text")}) as wallet),
      found as (select ${w.id} from ${w} where ${isOwned(ref)}),
      removed as (
        delete from ${x} using found f where ${x.watchlistId} = f.id
          and not exists (select from wanted n where n.wallet = ${x.wallet})
        returning 1
      ), added as (
        insert into ${watchlistWallets} (${columnNames(watchlistWallets.watchlistId, watchlistWallets.wallet)})
        select f.id, n.wallet from found f, wanted n
        on conflict do nothing returning 1
      ), changed as (
        update ${w} set ${columnName(w.name)} = ${name}, ${columnName(w.walletCount)} = ${wallets.length},
          ${columnName(w.updatedAt)} = case when ${w.name} = ${name} and not exists (select from removed)
            and not exists (select from added) then ${w.updatedAt} else ${timestamp(now)} end
        from found f where ${w.id} = f.id
        returning w.*
      )
      select ${watchlistColumns} from changed w`),
  ]);
  return z.array(WatchlistRow).parse(stored.rows)[0] ?? null;
}
