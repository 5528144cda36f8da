/*
 * The one rule of what a share costs and what held shares are worth, as SQL. Every read and every job that shows a price, a value or whether a
 * market is over builds on these fragments; src/scoring/top-of-book.ts has the midpoint rule as a function, and a test holds both together.
 *
 * - Price of an outcome: its payout once the market has resolved; else the midpoint of a live book at most 0.10 wide; else the last trade; else null.
 * - A book is live while the market is open. A book read before the market's end is no book after it.
 * - Value of held shares: shares times that price.
 */

/** Table aliases of a query, and an SQL expression of the moment it is answered for: an ISO literal in reads, `now()` in jobs. */
export interface MarketAliases {
  /** A row of `markets`. */
  readonly market: string;
  /** A row of `outcomes`. */
  readonly outcome: string;
  readonly now: string;
}

/** The provider's edge caches a market listing for so long: its quotes may be this much older than the moment they were read. */
export const LISTING_AGE = "interval '5 minutes'";

/** A timestamp literal for `MarketAliases.now`. */
export const atInstant = (now: Date): string => `'${now.toISOString()}'::timestamptz`;

/** The moment that an outcome's quotes are certainly not older than. */
export const quotedSince = (outcome: string): string =>
  `(${outcome}.book_as_of - case when ${outcome}.book_source = 'gamma_market' then ${LISTING_AGE} else interval '0' end)`;

const isSettledOrClosed = (market: string): string => `(${market}.closed or ${market}.payouts_ppm is not null)`;

/**
 * Quotes from before this moment are no book: the market's end once that has passed, and infinity once it is closed or resolved. Ingest stores
 * no such quotes and clears those that have become so; reads decide by `hasLiveBook`, which needs no ingest to have run.
 */
export const noBookBefore = ({ market, now }: Omit<MarketAliases, "outcome">): string =>
  `(case when ${isSettledOrClosed(market)} then 'infinity'::timestamptz
    when ${market}.end_at <= ${now} then ${market}.end_at else '-infinity'::timestamptz end)`;

/** Whether the outcome's stored quotes are a live book: the market is open, and they are not from before its end. */
export const hasLiveBook = ({ market, outcome, now }: MarketAliases): string =>
  `(not ${isSettledOrClosed(market)} and (${outcome}.best_bid is not null or ${outcome}.best_ask is not null)
    and (${market}.end_at is null or ${market}.end_at > ${now} or ${quotedSince(outcome)} >= ${market}.end_at))`;

/**
 * Whether a market is over: closed, resolved, or past its end with no book from after it. Many markets trade past the end that they were given;
 * a live book is what tells.
 */
export const isOver = ({ market, now }: Omit<MarketAliases, "outcome">): string =>
  `(${isSettledOrClosed(market)} or (coalesce(${market}.end_at <= ${now}, false) and not exists (
    select from outcomes quoted where quoted.market_id = ${market}.id and ${hasLiveBook({ market, outcome: "quoted", now })})))`;

/**
 * `resolved`: its payouts are known, and its facts final. `awaiting_result`: over, but the payouts are not known. `open`: trading goes on.
 */
export const marketPhase = ({ market, now }: Omit<MarketAliases, "outcome">): string =>
  `case when ${market}.payouts_ppm is not null then 'resolved' when ${isOver({ market, now })} then 'awaiting_result' else 'open' end`;

/** The price of an outcome as a numeric, 0 to 1; null when nothing tells it. */
export const priceOf = (aliases: MarketAliases): string =>
  `case when ${aliases.market}.payouts_ppm is not null then ${aliases.market}.payouts_ppm[${aliases.outcome}.outcome_index + 1] / 1000000.0
    when ${hasLiveBook(aliases)} then ${aliases.outcome}.mark_price
    else ${aliases.outcome}.last_trade_price end`;

/** What tells that price: `payout`, `midpoint`, `last_trade`; null without a price. */
export const priceBasis = (aliases: MarketAliases): string =>
  `case when ${aliases.market}.payouts_ppm is not null then case when ${priceOf(aliases)} is not null then 'payout' end
    when ${hasLiveBook(aliases)} and ${aliases.outcome}.best_ask >= ${aliases.outcome}.best_bid
      and ${aliases.outcome}.best_ask - ${aliases.outcome}.best_bid <= 0.1 then 'midpoint'
    when ${aliases.outcome}.last_trade_price is not null then 'last_trade' end`;

/** What shares (an SQL expression of micro-shares) are worth at that price, in micro-dollars: rounded once, half away from zero. Null without a price. */
export const valueOf = (aliases: MarketAliases, shares: string): string =>
  `case when ${shares} = 0 then 0 else round(${shares} * round(${priceOf(aliases)}, 6))::bigint end`;
