import { sql, type SQL } from "drizzle-orm";
import { MAX_MIDPOINT_SPREAD } from "../../scoring/top-of-book.ts";
import { outcomes, type markets } from "../schema.ts";
import { alias, type Columns } from "../sql.ts";

/*
 * The one price rule of the domain, as SQL. Every query and job that shows a price, a value or whether a
 * market is over uses these fragments. src/scoring/top-of-book.ts has the midpoint rule as a function; a test
 * checks that both agree.
 *
 * - Price of an outcome: its payout once the market has resolved; else the midpoint of a live book at most
 *   0.10 wide; else the last trade; else null.
 * - A book is live while the market is open. A book read before the market's end is not live after it.
 * - Value of open shares: shares times that price.
 */

type Market = Columns<typeof markets, "id" | "closed" | "payoutsPpm" | "endAt" | "figuresAsOf">;
type Outcome = Columns<
  typeof outcomes,
  "outcomeIndex" | "bestBid" | "bestAsk" | "bookSource" | "bookAsOf" | "markPrice" | "lastTradePrice"
>;

/** The rows of a query, and its point in time: `at(date)` in reads, `NOW` in jobs. */
export interface PricedRows {
  readonly market: Market;
  readonly outcome: Outcome;
  readonly now: SQL;
}

type MarketAt = Omit<PricedRows, "outcome">;

/** The clock of the database. */
export const NOW: SQL = sql`now()`;

/**
 * A point in time as a literal. A parameter in a partial index's condition would hide the index from the
 * planner.
 */
export const at = (now: Date): SQL => sql.raw(`'${now.toISOString()}'::timestamptz`);

/**
 * The provider's edge caches a market listing this long: its quotes may be this much older than the time they
 * were read.
 */
export const LISTING_MAX_AGE: SQL = sql`interval '5 minutes'`;

/** An outcome with its quotes, and its market. */
interface QuotedRows {
  readonly market: Pick<Market, "figuresAsOf">;
  readonly outcome: Pick<Outcome, "bookAsOf" | "bookSource">;
}

/**
 * When an outcome's quotes were read; null without quotes. Quotes of a market object are as old as the figures of the market:
 * a market object that repeats them changes no outcome.
 */
export const quotesReadAt = ({ market, outcome }: QuotedRows): SQL =>
  sql`(case ${outcome.bookSource} when 'gamma_market' then ${market.figuresAsOf} else ${outcome.bookAsOf} end)`;

/** A lower bound of the time of an outcome's quotes. */
export const quotedSince = (rows: QuotedRows): SQL =>
  sql`(${quotesReadAt(rows)} - case when ${rows.outcome.bookSource} = 'gamma_market' then ${LISTING_MAX_AGE}
    else interval '0' end)`;

const isSettledOrClosed = (market: Market): SQL => sql`(${market.closed} or ${market.payoutsPpm} is not null)`;

/**
 * Quotes from before this time are not a book: the market's end once it has passed, and infinity once the
 * market is closed or resolved. Ingest does not store such quotes and clears quotes that become such; reads
 * use `hasLiveBook`, which does not depend on when ingest last ran.
 */
export const noBookBefore = ({ market, now }: MarketAt): SQL =>
  sql`(case when ${isSettledOrClosed(market)} then 'infinity'::timestamptz
    when ${market.endAt} <= ${now} then ${market.endAt} else '-infinity'::timestamptz end)`;

/**
 * Whether the outcome's stored quotes are a live book: the market is open, and the quotes are not from before
 * its end.
 */
export const hasLiveBook = ({ market, outcome, now }: PricedRows): SQL =>
  sql`(not ${isSettledOrClosed(market)} and (${outcome.bestBid} is not null or ${outcome.bestAsk} is not null)
    and (${market.endAt} is null or ${market.endAt} > ${now} or ${quotedSince({ market, outcome })} >= ${market.endAt}))`;

const quoted = alias(outcomes, "quoted");

/**
 * Whether a market is over: closed, resolved, or past its end without a book from after the end. Many markets
 * trade past their announced end; only a live book shows that.
 */
export const isMarketOver = ({ market, now }: MarketAt): SQL =>
  sql`(${isSettledOrClosed(market)} or (coalesce(${market.endAt} <= ${now}, false) and not exists (
    select from ${quoted} where ${quoted.marketId} = ${market.id}
      and ${hasLiveBook({ market, outcome: quoted, now })})))`;

/**
 * `resolved`: the payouts are known, and the market's facts are final. `awaiting_result`: over, but the
 * payouts are unknown. `open`: trading continues.
 */
export const marketPhase = ({ market, now }: MarketAt): SQL =>
  sql`case when ${market.payoutsPpm} is not null then 'resolved' when ${isMarketOver({ market, now })} then 'awaiting_result'
    else 'open' end`;

/** The price of an outcome as a numeric, 0 to 1; null when there is neither payout, book nor trade. */
export const outcomePrice = (rows: PricedRows): SQL =>
  sql`case when ${rows.market.payoutsPpm} is not null
    then ${rows.market.payoutsPpm}[${rows.outcome.outcomeIndex} + 1] / 1000000.0
    when ${hasLiveBook(rows)} then ${rows.outcome.markPrice}
    else ${rows.outcome.lastTradePrice} end`;

/** The basis of that price: `payout`, `midpoint`, `last_trade`; null without a price. */
export const outcomePriceBasis = (rows: PricedRows): SQL =>
  sql`case when ${rows.market.payoutsPpm} is not null then case when ${outcomePrice(rows)} is not null then 'payout' end
    when ${hasLiveBook(rows)} and ${rows.outcome.bestAsk} >= ${rows.outcome.bestBid}
      and ${rows.outcome.bestAsk} - ${rows.outcome.bestBid} <= ${sql.raw(String(MAX_MIDPOINT_SPREAD))} then 'midpoint'
    when ${rows.outcome.lastTradePrice} is not null then 'last_trade' end`;

/**
 * The value of shares (micro-shares) at that price, in micro-dollars: rounded once, half away from zero. Null
 * without a price.
 */
export const sharesValue = (rows: PricedRows, shares: SQL): SQL =>
  sql`case when ${shares} = 0 then 0 else round(${shares} * round(${outcomePrice(rows)}, 6))::bigint end`;
