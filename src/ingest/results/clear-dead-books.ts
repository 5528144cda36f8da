import type { Session } from "../../db/client.ts";
import { noBookBefore, quotedSince } from "../../db/market-price.ts";

/**
 * Clears the quotes of these markets that are no book any more, so that their outcomes are marked at the last trade. The caller holds the ledger
 * lock.
 *
 * @returns how many outcomes lost their quotes
 */
export async function clearDeadBooks(session: Session, marketIds: readonly string[], now: Date): Promise<number> {
  if (marketIds.length === 0) return 0;
  const { rowCount } = await session.query(
    `update outcomes o set best_bid = null, best_ask = null, bid_depth_usd = null, ask_depth_usd = null, book_source = null, book_as_of = null
     from markets m
     where o.market_id = any($1::bigint[]) and m.id = o.market_id and (o.best_bid is not null or o.best_ask is not null)
       and coalesce(${quotedSince("o")}, '-infinity') < ${noBookBefore({ market: "m", now: "$2::timestamptz" })}`,
    [marketIds, now.toISOString()],
  );
  return rowCount ?? 0;
}
