import type { Pool } from "@neondatabase/serverless";
import { inTransaction } from "../db/client.ts";
import type { Provider } from "../ports/provider.ts";
import { applyBooks } from "./apply-books.ts";
import { applyMarkets } from "./apply-markets.ts";

/** An object read since then says whether the market is closed. */
const DESCRIBED_SECONDS = 60;
const CONDITIONS_AT_ONCE = 50;

/**
 * Reads and applies the books of tokens. An open market whose token has had a book and has none now may have closed before its end: its object,
 * which says so, is read at once.
 */
export async function refreshBooks(pool: Pool, provider: Provider, tokenIds: readonly string[], now: () => Date): Promise<void> {
  const page = await provider.findBooks(tokenIds);
  await inTransaction(pool, (session) => applyBooks(session, tokenIds, page.rows, page.misfits, now()));
  const read = new Set(page.rows.map(({ tokenId }) => tokenId));
  const missing = tokenIds.filter((tokenId) => !read.has(tokenId));
  if (missing.length === 0) return;
  const { rows } = await pool.query<{ condition_id: string }>(
    `select distinct m.condition_id from outcomes o join markets m on m.id = o.market_id
     where o.token_id = any($1::text[]) and o.book_source = 'clob_book' and not m.closed and m.payouts_ppm is null
       and m.hydrated_at < $2::timestamptz - make_interval(secs => ${DESCRIBED_SECONDS})
     limit ${CONDITIONS_AT_ONCE}`,
    [missing, now().toISOString()],
  );
  if (rows.length === 0) return;
  const markets = await provider.findMarkets(rows.map((row) => row.condition_id));
  await inTransaction(pool, (session) => applyMarkets(session, markets.rows, markets.misfits, now()));
}
