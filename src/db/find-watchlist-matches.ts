import { sql } from "drizzle-orm";
import { z } from "zod";
import type { WatchlistMatches, WatchlistRef } from "../domain/watchlists/watchlist-matches.ts";
import type { Connection } from "./client.ts";
import { watchlists, watchlistWallets } from "./schema.ts";
import { alias, array, integer, selectRows } from "./sql.ts";

const w = alias(watchlists, "w");
const x = alias(watchlistWallets, "x");

const Row = z.object({ id: integer, account_id: integer, wallets: z.array(z.string()) });

/**
 * Finds which of the addresses are in which of the watchlists, as they are now. Looks the addresses up in an index;
 * no list is read. Another account's list counts as one that does not exist.
 *
 * @param wallets in lower case
 */
export async function findWatchlistMatches(
  connection: Connection,
  refs: readonly WatchlistRef[],
  wallets: readonly string[],
): Promise<WatchlistMatches> {
  if (refs.length === 0) return new Map();
  const ids = array(
    refs.map(({ id }) => id),
    "bigint",
  );
  const accountIds = array(
    refs.map(({ accountId }) => accountId),
    "bigint",
  );
  const rows = await selectRows(
    connection,
    sql`
      with found as materialized (
        select distinct ${w.id}, ${w.accountId} from unnest(${ids}, ${accountIds}) as r(id, account_id)
        join ${w} on ${w.id} = r.id and ${w.accountId} = r.account_id
      )
      select f.id::text as id, f.account_id::text as account_id,
        coalesce(json_agg(m.wallet) filter (where m.wallet is not null), '[]') as wallets
      from found f
      left join (
        select ${x.watchlistId}, ${x.wallet} from ${x}
        where ${x.wallet} = any (${array(wallets, "text")}) and ${x.watchlistId} = any (${ids})
      ) m on m.watchlist_id = f.id
      group by f.id, f.account_id`,
    Row,
  );
  return new Map(
    rows.map(({ id, account_id: accountId, wallets: found }) => [id, { accountId, wallets: new Set(found) }]),
  );
}
