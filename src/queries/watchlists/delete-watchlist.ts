import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import type { WatchlistRef } from "../../domain/watchlists/watchlist-matches.ts";
import { endpoint } from "../../db/fragments/webhooks.ts";
import { formatId } from "../../domain/ids.ts";
import { lockAccount } from "../accounts/account.ts";
import { isOwned, w } from "./watchlist-row.ts";

const Result = z.array(z.object({ is_used: z.boolean() }));

/** Deletes a watchlist, unless a webhook endpoint that is not deleted filters by it. */
export async function deleteWatchlist(db: Database, ref: WatchlistRef): Promise<"deleted" | "missing" | "used"> {
  const [, deleted] = await db.batch([
    // Endpoints are created and changed under the same lock, so none can begin to use the list meanwhile.
    lockAccount(db, ref.accountId),
    db.execute(sql`
      with found as (
        select ${w.id}, exists (
          select from ${endpoint} where ${endpoint.accountId} = ${w.accountId} and ${endpoint.deletedAt} is null
            and ${endpoint.tradeFilters}->>'watchlist' = ${formatId("watchlist", ref.id)}) as is_used
        from ${w} where ${isOwned(ref)}
      ), deleted as (delete from ${w} using found f where ${w.id} = f.id and not f.is_used)
      select is_used from found`),
  ]);
  const [found] = Result.parse(deleted.rows);
  return found === undefined ? "missing" : found.is_used ? "used" : "deleted";
}
