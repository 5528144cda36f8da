import { sql, type SQL } from "drizzle-orm";
import { m, o } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { LISTING_MAX_AGE, noBookBefore } from "../../db/fragments/market-price.ts";
import { recordset } from "../../db/fragments/recordset.ts";
import { outcomes } from "../../db/schema.ts";
import { columnName, columnNames, excluded, run, setEach, timestamp } from "../../db/sql.ts";
import type { ProviderMarket } from "../../platform/provider.ts";
import { isNewerTrade } from "../ledger/last-trades.ts";

type OutcomeRow = ProviderMarket["outcomes"][number] & { readonly conditionId: string };

/** The columns that the newest response replaces. */
const REPLACED = [outcomes.marketId, outcomes.outcomeIndex, outcomes.label, outcomes.price];
const LAST_TRADE = [outcomes.lastTradePrice, outcomes.lastTradeAt, outcomes.lastTradeTx];
const QUOTES = [
  outcomes.bestBid,
  outcomes.bestAsk,
  outcomes.bidDepthUsd,
  outcomes.askDepthUsd,
  outcomes.bookSource,
  outcomes.bookAsOf,
];
const INSERTED = [
  outcomes.tokenId,
  ...REPLACED,
  outcomes.lastTradePrice,
  outcomes.lastTradeAt,
  outcomes.bestBid,
  outcomes.bestAsk,
  outcomes.bookSource,
  outcomes.bookAsOf,
];

/**
 * Writes the outcomes with the quotes and last trades of the market object, which the edge may have cached
 * for up to five minutes. A quote from the outcome's own book is kept if it may be newer, and so is a last
 * trade. Quotes from before an end that has passed are not stored. The last trade of a closed market is dated
 * at its close at the latest.
 */
export async function writeOutcomes(session: Session, markets: readonly ProviderMarket[], readAt: Date): Promise<void> {
  const rows = markets.flatMap((market) =>
    market.outcomes.map((outcome) => ({ ...outcome, conditionId: market.conditionId })),
  );
  if (rows.length === 0) return;
  await Promise.all([freeIndexes(session, rows), upsertOutcomes(session, rows, readAt)]);
}

async function upsertOutcomes(session: Session, rows: readonly OutcomeRow[], readAt: Date): Promise<void> {
  const now = timestamp(readAt);
  // The quotes in a market object may be older than its read time by the cache time of the provider's edge.
  const quotedAt = sql`${now} - ${LISTING_MAX_AGE}`;
  const newerBook = hasNewerBook(quotedAt, now);
  await run(
    session,
    sql`insert into ${outcomes} (${columnNames(...INSERTED)})
     select t.token_id, ${m.id}, t.outcome_index, t.label, t.price, t.last_trade_price,
       case when t.last_trade_price is not null
         then least(${quotedAt}, case when ${m.closed} then ${m.closedAt} end) end,
       case when q.is_book then t.best_bid end, case when q.is_book then t.best_ask end,
       case when q.is_book then 'gamma_market' end, case when q.is_book then ${now} end
     from ${outcomeRows(rows)}
     join ${m} on ${m.conditionId} = t.condition_id
     cross join lateral (
       select (t.best_bid is not null or t.best_ask is not null)
         and ${quotedAt} >= ${noBookBefore({ market: m, now })} as is_book
     ) q
     on conflict (${columnName(outcomes.tokenId)}) do update set ${setEach(REPLACED, excluded)},
       ${setEach(LAST_TRADE, (column) => sql`case when ${IS_NEWER_TRADE} then ${excluded(column)} else ${column} end`)},
       ${setEach(QUOTES, (column) => sql`case when ${newerBook} then ${column} else ${excluded(column)} end`)}`,
  );
}

/** Frees an index that a trade claimed wrongly, so that the market object can assign it. */
async function freeIndexes(session: Session, rows: readonly OutcomeRow[]): Promise<void> {
  const assigned = recordset("t", rows, {
    condition_id: ["text", (row) => row.conditionId],
    token_id: ["text", (row) => row.tokenId],
    outcome_index: ["smallint", (row) => row.outcomeIndex],
  });
  await run(
    session,
    sql`update ${o} set ${columnName(o.outcomeIndex)} = null
     from ${assigned}
     join ${m} on ${m.conditionId} = t.condition_id
     where ${o.marketId} = ${m.id} and ${o.outcomeIndex} = t.outcome_index and ${o.tokenId} <> t.token_id`,
  );
}

const IS_NEWER_TRADE = isNewerTrade(
  {
    price: excluded(outcomes.lastTradePrice),
    at: excluded(outcomes.lastTradeAt),
    tx: excluded(outcomes.lastTradeTx),
  },
  outcomes,
);

/** The stored quotes are from the outcome's own book, and may be newer than those of the market object. */
const hasNewerBook = (quotedAt: SQL, now: SQL): SQL =>
  sql`(${outcomes.bookSource} = 'clob_book' and ${outcomes.bookAsOf} > ${quotedAt}
    and ${outcomes.bookAsOf} >= (select ${noBookBefore({ market: m, now })} from ${m}
      where ${m.id} = ${excluded(outcomes.marketId)}))`;

const outcomeRows = (rows: readonly OutcomeRow[]): SQL =>
  recordset("t", rows, {
    condition_id: ["text", (row) => row.conditionId],
    token_id: ["text", (row) => row.tokenId],
    outcome_index: ["smallint", (row) => row.outcomeIndex],
    label: ["text", (row) => row.label],
    price: ["numeric", (row) => row.price],
    last_trade_price: ["numeric", (row) => row.lastTradePrice],
    best_bid: ["numeric", (row) => row.bestBid],
    best_ask: ["numeric", (row) => row.bestAsk],
  });
