import type { Session } from "../db/client.ts";
import type { Misfit, ProviderBook } from "../ports/provider.ts";
import { setAside } from "./set-aside.ts";

/** Stores tops of book. An older book than the one stored changes nothing. */
export async function applyBooks(session: Session, books: readonly ProviderBook[], misfits: readonly Misfit[]): Promise<void> {
  await setAside(session, "books", misfits);
  if (books.length === 0) return;
  await session.query(
    `update outcomes o set
       best_bid = t.best_bid, best_ask = t.best_ask, bid_depth_usd = t.bid_depth_usd, ask_depth_usd = t.ask_depth_usd,
       last_trade_price = coalesce(t.last_trade_price, o.last_trade_price), book_source = 'clob_book', book_as_of = t.as_of
     from unnest($1::text[], $2::numeric[], $3::numeric[], $4::numeric[], $5::numeric[], $6::numeric[], $7::timestamptz[])
       as t(token_id, best_bid, best_ask, bid_depth_usd, ask_depth_usd, last_trade_price, as_of)
     where o.token_id = t.token_id and (o.book_as_of is null or o.book_as_of <= t.as_of)`,
    [
      books.map((book) => book.tokenId),
      books.map((book) => book.bestBid),
      books.map((book) => book.bestAsk),
      books.map((book) => book.bidDepthUsd),
      books.map((book) => book.askDepthUsd),
      books.map((book) => book.lastTradePrice),
      books.map((book) => book.asOf.toISOString()),
    ],
  );
}
