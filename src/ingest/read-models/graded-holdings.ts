import { isHistoryKnown } from "../../db/completeness.ts";
import { priceOf } from "../../db/market-price.ts";
import { gradesFrom } from "../../domain/grades.ts";

/** Whose money counts as smart or sharp, as a list of SQL literals. */
export const SHARP_GRADES = gradesFrom("B")
  .map((grade) => `'${grade}'`)
  .join(", ");

/**
 * Common table expressions `cohort` (wallets graded S, A or B whose history in ordinary markets is known: of others it is not known what they hold)
 * and `holdings`: what they hold in each market of two outcomes, each wallet on its net side, at current prices. A missing price of NO is what YES
 * leaves of a dollar. Dollars are null without a price of YES. A market that none of them holds has no row.
 */
export const GRADED_HOLDINGS = `
  cohort as materialized (
    select t.id from traders t join wallet_syncs s on s.trader_id = t.id
    where t.grade in (${SHARP_GRADES}) and ${isHistoryKnown("s")}
  ), held as (
    select p.market_id, p.trader_id, sum(case when o.outcome_index = 0 then p.shares_micro else -p.shares_micro end) as net_micro
    from cohort c join positions p on p.trader_id = c.id join outcomes o on o.id = p.outcome_id
    where p.settled_micro is null and p.shares_micro > 0 and o.outcome_index in (0, 1)
    group by p.market_id, p.trader_id
  ), sides as (
    select market_id, sum(greatest(net_micro, 0)) / 1e6 as yes_shares, sum(greatest(-net_micro, 0)) / 1e6 as no_shares, count(*) as wallets
    from held where net_micro <> 0 group by market_id
  ), holdings as (
    select s.market_id, s.wallets, price.yes as yes_price, s.yes_shares * price.yes as yes_usd,
      s.no_shares * coalesce(price.no, 1 - price.yes) as no_usd
    from sides s join markets m on m.id = s.market_id
    join outcomes y on y.market_id = s.market_id and y.outcome_index = 0
    join outcomes n on n.market_id = s.market_id and n.outcome_index = 1
    cross join lateral (
      select ${priceOf({ market: "m", outcome: "y", now: "now()" })} as yes, ${priceOf({ market: "m", outcome: "n", now: "now()" })} as no
    ) price
    where not exists (select from outcomes x where x.market_id = s.market_id and x.outcome_index > 1)
  )`;
