import { sql, type SQL } from "drizzle-orm";
import { m, o } from "../../db/aliases.ts";
import { atCommit, type Session } from "../../db/client.ts";
import { noBookBefore, quotesReadAt } from "../../db/fragments/market-price.ts";
import { recordset } from "../../db/fragments/recordset.ts";
import { array, columnName, run, setEach, timestamp } from "../../db/sql.ts";
import type { QuarantinedRecord, ProviderBook } from "../../platform/provider.ts";
import { isNewLastPrice } from "../ledger/last-trades.ts";
import { lockOutcomes, shareMarkets } from "../ledger/row-locks.ts";
import { matchToRequested } from "./match-to-requested.ts";
import { quarantineRecords } from "../feeds/quarantine-records.ts";

/**
 * Stores the top of book, and the last trade price, of the requested tokens. A book older than the stored one
 * changes nothing, and after the market's end a book from before the end is ignored: the end cannot change meanwhile. One
 * message with the commit, so that the rows are locked for no round trip.
 */
export async function applyBooks(
  session: Session,
  requestedIds: readonly string[],
  rows: readonly ProviderBook[],
  quarantined: readonly QuarantinedRecord[],
  now: Date,
): Promise<void> {
  const { matched, unrequested } = matchToRequested(rows, requestedIds, (row) => row.tokenId);
  const books = [...matched.values()];
  await atCommit(session, (last) =>
    Promise.all([
      books.length > 0 && writeBooks(last, books, now),
      quarantineRecords(last, "books", [...quarantined, ...unrequested]),
    ]),
  );
}

const QUOTES = [o.bestBid, o.bestAsk, o.bidDepthUsd, o.askDepthUsd];

async function writeBooks(session: Session, books: readonly ProviderBook[], now: Date): Promise<void> {
  const tokenIds = array(
    books.map(({ tokenId }) => tokenId),
    "text",
  );
  await Promise.all([
    run(session, shareMarkets(sql`${m.id} in (select ${o.marketId} from ${o} where ${o.tokenId} = any(${tokenIds}))`)),
    run(session, lockOutcomes(sql`${o.tokenId} = any(${tokenIds})`)),
    run(session, updateOutcomes(books, now)),
  ]);
}

function updateOutcomes(books: readonly ProviderBook[], now: Date): SQL {
  const bookStart = noBookBefore({ market: m, now: timestamp(now) });
  return sql`update ${o} set
       ${setEach(QUOTES, (column) => sql`case when n.is_book then n.${columnName(column)} else ${column} end`)},
       ${columnName(o.bookSource)} = case when n.is_book then 'clob_book' else ${o.bookSource} end,
       ${columnName(o.bookAsOf)} = case when n.is_book then n.as_of else ${o.bookAsOf} end,
       ${columnName(o.lastTradePrice)} = case when n.is_trade then n.last_trade_price else ${o.lastTradePrice} end,
       ${columnName(o.lastTradeAt)} = case when n.is_trade then n.as_of else ${o.lastTradeAt} end,
       ${columnName(o.lastTradeTx)} = case when n.is_trade then null else ${o.lastTradeTx} end
     from (
       select ${o.id}, t.*,
         coalesce(${quotesReadAt({ market: m, outcome: o })} <= t.as_of, true) and t.as_of >= ${bookStart} as is_book,
         ${isNewLastPrice(sql`t.last_trade_price`, sql`t.as_of`, o)} as is_trade
       from ${bookRows(books)}
       join ${o} on ${o.tokenId} = t.token_id
       join ${m} on ${m.id} = ${o.marketId}
     ) n
     where ${o.id} = n.id and (n.is_book or n.is_trade)`;
}

const bookRows = (books: readonly ProviderBook[]): SQL =>
  recordset("t", books, {
    token_id: ["text", (book) => book.tokenId],
    best_bid: ["numeric", (book) => book.bestBid],
    best_ask: ["numeric", (book) => book.bestAsk],
    bid_depth_usd: ["numeric", (book) => book.bidDepthUsd],
    ask_depth_usd: ["numeric", (book) => book.askDepthUsd],
    last_trade_price: ["numeric", (book) => book.lastTradePrice],
    as_of: ["timestamptz", (book) => book.asOf.toISOString()],
  });
