import type { Session } from "../db/client.ts";
import { noBookBefore } from "../db/market-price.ts";
import type { Misfit, ProviderBook } from "../ports/provider.ts";
import { isNewerTrade } from "./ledger/last-trades.ts";
import { lockLedger } from "./ledger/record-entries.ts";
import { matchToAsked } from "./match-to-asked.ts";
import { setAside } from "./set-aside.ts";

/**
 * Stores tops of book, and the last trades they name, for the tokens that were asked for. An older book than the one stored changes nothing, and
 * one from before its market's end is no book once that has passed. The ledger lock keeps writers of several outcomes from waiting for each other.
 */
export async function applyBooks(
  session: Session,
  asked: readonly string[],
  rows: readonly ProviderBook[],
  misfits: readonly Misfit[],
  now: Date,
): Promise<void> {
  const { answers, foreign } = matchToAsked(rows, asked, (row) => row.tokenId);
  await setAside(session, "books", [...misfits, ...foreign]);
  if (answers.size === 0) return;
  await lockLedger(session);
  const books = [...answers.values()];
  const quote = (column: string) => `${column} = case when n.is_book then n.${column} else o.${column} end`;
  const trade = (column: string, value: string) => `${column} = case when n.is_trade then ${value} else o.${column} end`;
  await session.query(
    `update outcomes o set
       ${["best_bid", "best_ask", "bid_depth_usd", "ask_depth_usd"].map(quote).join(", ")},
       book_source = case when n.is_book then 'clob_book' else o.book_source end, book_as_of = case when n.is_book then n.as_of else o.book_as_of end,
       ${trade("last_trade_price", "n.last_trade_price")}, ${trade("last_trade_at", "n.as_of")}, ${trade("last_trade_tx", "null")}
     from (
       select o.id, t.*,
         (o.book_as_of is null or o.book_as_of <= t.as_of) and t.as_of >= ${noBookBefore({ market: "m", now: "$8::timestamptz" })} as is_book,
         ${isNewerTrade({ price: "t.last_trade_price", at: "t.as_of", tx: "null::bytea" }, "o")} as is_trade
       from unnest($1::text[], $2::numeric[], $3::numeric[], $4::numeric[], $5::numeric[], $6::numeric[], $7::timestamptz[])
         as t(token_id, best_bid, best_ask, bid_depth_usd, ask_depth_usd, last_trade_price, as_of)
       join outcomes o on o.token_id = t.token_id
       join markets m on m.id = o.market_id
     ) n
     where o.id = n.id and (n.is_book or n.is_trade)`,
    [
      books.map((book) => book.tokenId),
      books.map((book) => book.bestBid),
      books.map((book) => book.bestAsk),
      books.map((book) => book.bidDepthUsd),
      books.map((book) => book.askDepthUsd),
      books.map((book) => book.lastTradePrice),
      books.map((book) => book.asOf.toISOString()),
      now.toISOString(),
    ],
  );
}
