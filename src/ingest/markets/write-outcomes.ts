import { sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { m, o } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { LISTING_MAX_AGE, noBookBefore } from "../../db/fragments/market-price.ts";
import { recordset } from "../../db/fragments/recordset.ts";
import { markets, outcomes } from "../../db/schema.ts";
import { array, columnName, columnNames, excluded, qualified, run, setEach, timestamp } from "../../db/sql.ts";
import type { ProviderMarket } from "../../platform/provider.ts";
import { isNewLastPrice } from "../ledger/last-trades.ts";

type OutcomeRow = ProviderMarket["outcomes"][number] & { readonly conditionId: string };

/**
 * The columns that a response replaces and that show what an outcome is. Only holders of the ledger lock write them; the
 * others are figures.
 */
const IDENTITY = [outcomes.marketId, outcomes.outcomeIndex, outcomes.label];
/** The columns that the newest response replaces. */
const REPLACED = [...IDENTITY, outcomes.price];
const LAST_TRADE = [outcomes.lastTradePrice, outcomes.lastTradeAt, outcomes.lastTradeTx];
const QUOTES = [
  outcomes.bestBid,
  outcomes.bestAsk,
  outcomes.bidDepthUsd,
  outcomes.askDepthUsd,
  outcomes.bookSource,
  outcomes.bookAsOf,
];
const INSERTED: readonly AnyPgColumn[] = [
  outcomes.tokenId,
  ...REPLACED,
  outcomes.lastTradePrice,
  outcomes.lastTradeAt,
  outcomes.bestBid,
  outcomes.bestAsk,
  outcomes.bookSource,
];

/**
 * Writes the outcomes with the quotes and last trades of the market object, which the edge may have cached
 * for up to five minutes. A quote from the outcome's own book is kept if it may be newer, and so is a last
 * trade. Quotes from before an end that has passed are not stored. The last trade of a closed market is dated
 * at its close at the latest.
 */
export async function writeOutcomes(session: Session, objects: readonly ProviderMarket[], readAt: Date): Promise<void> {
  const rows = listOutcomes(objects);
  await Promise.all([
    run(session, clearUnlistedQuotes(objects)),
    rows.length > 0 && freeIndexes(session, rows),
    rows.length > 0 && upsertOutcomes(session, rows, readAt),
  ]);
}

/** Quotes of an earlier market object, for a token that the object lists no more, would look as new as its figures. */
function clearUnlistedQuotes(objects: readonly ProviderMarket[]): SQL {
  const conditionIds = objects.map(({ conditionId }) => conditionId);
  return sql`update ${o} set ${setEach(QUOTES, () => NONE)} from ${m}
     where ${m.conditionId} = any(${array(conditionIds, "text")}) and ${o.marketId} = ${m.id}
       and ${isUnlisted(listOutcomes(objects))}`;
}

/** SQL condition: the outcome `o` has quotes of a market object, and its token is not among `listed`. */
const isUnlisted = (listed: readonly OutcomeRow[]): SQL =>
  sql`(${o.bookSource} = 'gamma_market' and ${o.tokenId} <> all(${array(
    listed.map(({ tokenId }) => tokenId),
    "text",
  )}))`;

const listOutcomes = (objects: readonly ProviderMarket[]): readonly OutcomeRow[] =>
  objects.flatMap((market) => market.outcomes.map((outcome) => ({ ...outcome, conditionId: market.conditionId })));

async function upsertOutcomes(session: Session, rows: readonly OutcomeRow[], readAt: Date): Promise<void> {
  await run(
    session,
    sql`insert into ${outcomes} (${columnNames(...INSERTED)})
     ${selectGiven(rows, readAt)}
     on conflict (${columnName(outcomes.tokenId)}) do update set ${setEach(REPLACED, excluded)},
       ${assign(listFigures(excluded, readAt))}`,
  );
}

/** The outcomes as the market objects give them, as a query of the columns INSERTED. */
function selectGiven(rows: readonly OutcomeRow[], readAt: Date): SQL {
  const now = timestamp(readAt);
  const quotedAt = quotedSince(readAt);
  return sql`
     select t.token_id, ${m.id} as market_id, t.outcome_index, t.label, t.price, t.last_trade_price,
       case when t.last_trade_price is not null
         then least(${quotedAt}, case when ${m.closed} then ${m.closedAt} end) end as last_trade_at,
       case when q.is_book then t.best_bid end as best_bid, case when q.is_book then t.best_ask end as best_ask,
       case when q.is_book then 'gamma_market' end as book_source
     from ${outcomeRows(rows)}
     join ${m} on ${m.conditionId} = t.condition_id
     cross join lateral (
       select (t.best_bid is not null or t.best_ask is not null)
         and ${quotedAt} >= ${noBookBefore({ market: m, now })} as is_book
     ) q`;
}

/** The quotes in a market object may be older than its read time by the cache time of the provider's edge. */
const quotedSince = (readAt: Date): SQL => sql`(${timestamp(readAt)} - ${LISTING_MAX_AGE})`;

/** The value that is given for a column, null where none is. */
type Given = (column: AnyPgColumn) => SQL;

type NewValue = readonly [column: AnyPgColumn, value: SQL];

const assign = (values: readonly NewValue[]): SQL =>
  sql.join(
    values.map(([column, value]) => sql`${columnName(column)} = ${value}`),
    sql`, `,
  );

/** The last trade and the quotes: those given where they are not older than the stored ones. */
function listFigures(given: Given, readAt: Date): NewValue[] {
  const isNewer = isNewLastPrice(given(outcomes.lastTradePrice), given(outcomes.lastTradeAt), outcomes);
  const newerBook = hasNewerBook(given, readAt);
  return [
    ...LAST_TRADE.map((column): NewValue => [
      column,
      sql`case when ${isNewer} then ${given(column)} else ${column} end`,
    ]),
    ...QUOTES.map((column): NewValue => [column, sql`case when ${newerBook} then ${column} else ${given(column)} end`]),
  ];
}

const NONE = sql`null`;

/** The stored quotes are from the outcome's own book, and may be newer than those of the market object. */
function hasNewerBook(given: Given, readAt: Date): SQL {
  const start = noBookBefore({ market: m, now: timestamp(readAt) });
  return sql`(${outcomes.bookSource} = 'clob_book' and ${outcomes.bookAsOf} > ${quotedSince(readAt)}
    and ${outcomes.bookAsOf} >= (select ${start} from ${m} where ${m.id} = ${given(outcomes.marketId)}))`;
}

/** SQL condition: the stored market `markets` has quotes for a token that its object does not list. */
export const hasUnlistedQuotes = (objects: readonly ProviderMarket[]): SQL =>
  sql`exists (select from ${o} where ${o.marketId} = ${markets.id} and ${isUnlisted(listOutcomes(objects))})`;

/** The outcomes of market objects as a query: condition_id, the market that has the token, and whether the rest is the same. */
export const compareOutcomes = (objects: readonly ProviderMarket[]): SQL =>
  sql`select t.condition_id, ${o.marketId},
       (${o.outcomeIndex}, ${o.label}) is not distinct from (t.outcome_index, t.label) as is_same
     from ${outcomeRows(listOutcomes(objects))} left join ${o} on ${o.tokenId} = t.token_id`;

/** The statements that write the figures of outcomes from market objects. */
export interface FigureUpdate {
  /** Locks the outcomes whose figures differ. */
  readonly lock: SQL;
  /** Selects them again from those of the markets in `plain`, whose column market_id has their row ids. */
  readonly select: (plain: SQL) => SQL;
  /** Writes the figures of the outcomes in `changed`, the rows of `select`. */
  readonly update: (changed: SQL) => SQL;
}

/**
 * Updates the figures of outcomes that are stored as described, in a transaction that has locked their markets. An outcome whose
 * figures are the same is neither locked nor written. Meanwhile only a trade can change one; it is left out where another
 * transaction holds it then, because its newest trade is newer than the object.
 */
export function updatePlainOutcomes(objects: readonly ProviderMarket[], readAt: Date): FigureUpdate {
  const given: Given = (column) => (INSERTED.includes(column) ? sql`n.${columnName(column)}` : NONE);
  const figures: readonly NewValue[] = [[outcomes.price, given(outcomes.price)], ...listFigures(given, readAt)];
  const values = sql.join(
    figures.map(([, value]) => value),
    sql`, `,
  );
  const differing = sql`from ${outcomes} join (${selectGiven(listOutcomes(objects), readAt)}) n on ${outcomes.tokenId} = n.token_id
     where (${qualified(figures.map(([column]) => column))}) is distinct from (${values})`;
  return {
    lock: sql`select ${differing} order by ${outcomes.id} for no key update of ${outcomes}`,
    select: (plain) => sql`select ${outcomes.id}, n.* ${differing}
       and n.market_id in (select market_id from ${plain}) for no key update of ${outcomes} skip locked`,
    update: (changed) => sql`update ${outcomes} set ${assign(figures)} from ${changed} n where ${outcomes.id} = n.id`,
  };
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
