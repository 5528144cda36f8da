import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { m, o } from "../../db/aliases.ts";
import { inTransaction, sessionOf } from "../../db/client.ts";
import { array, selectRows, timestamp } from "../../db/sql.ts";
import type { Provider } from "../../platform/provider.ts";
import { applyBooks } from "./apply-books.ts";
import { applyMarkets } from "./apply-markets.ts";

/** A market object younger than this shows whether the market is closed. */
const HYDRATED_SECONDS = 60;
const CONDITIONS_AT_ONCE = 50;

/**
 * Reads and applies the books of tokens. An open market whose token had a book and has none now may have
 * closed before its end. Its market object, which shows the close, is then read at once.
 */
export async function refreshBooks(
  pool: Pool,
  provider: Provider,
  tokenIds: readonly string[],
  now: () => Date,
): Promise<void> {
  const page = await provider.findBooks(tokenIds);
  await inTransaction(pool, (session) => applyBooks(session, tokenIds, page.rows, page.quarantined, now()));
  const foundIds = new Set(page.rows.map(({ tokenId }) => tokenId));
  const missing = tokenIds.filter((tokenId) => !foundIds.has(tokenId));
  if (missing.length === 0) return;
  const conditionIds = await listMaybeClosed(pool, missing, now());
  if (conditionIds.length === 0) return;
  const markets = await provider.findMarkets(conditionIds);
  await applyMarkets(pool, markets.rows, markets.quarantined, now());
}

/** Open markets whose tokens have a stored book, and whose market object is old enough to be read again. */
async function listMaybeClosed(pool: Pool, tokenIds: readonly string[], now: Date): Promise<string[]> {
  const rows = await selectRows(
    sessionOf(pool),
    sql`select distinct ${m.conditionId} from ${o} join ${m} on ${m.id} = ${o.marketId}
     where ${o.tokenId} = any(${array(tokenIds, "text")}) and ${o.bookSource} = 'clob_book' and not ${m.closed}
       and ${m.payoutsPpm} is null and ${m.figuresAsOf} < ${timestamp(now)}
         - make_interval(secs => ${sql.raw(String(HYDRATED_SECONDS))})
     limit ${sql.raw(String(CONDITIONS_AT_ONCE))}`,
    z.object({ condition_id: z.string() }),
  );
  return rows.map((row) => row.condition_id);
}
