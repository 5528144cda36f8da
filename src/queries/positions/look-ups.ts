import { sql, type SQL } from "drizzle-orm";
import { IS_WHOLE, isListedMarket, ofGrades, ofSide } from "./filters.ts";

// What has to be looked up of a candidate `p`, as joins that leave out those that do not pass. The fences ("offset 0") keep them look-ups in the
// candidates' order, so that a page reads no more than it shows, and leave Postgres no order of joins to plan.

/** That its wallet's holdings follow from all the wallet ever did. */
export const WHOLE = sql`cross join lateral (select from wallet_syncs s where s.trader_id = p.trader_id and ${IS_WHOLE} offset 0) whole`;

/** Its wallet `t`. */
export const holder = (grades: readonly string[] | null): SQL =>
  sql`cross join lateral (select t.address from traders t where t.id = p.trader_id and ${ofGrades(grades)} offset 0) t`;

/** Its outcome `o`. */
export const outcome = (outcomeIndex: 0 | 1 | null): SQL =>
  sql`cross join lateral (select o.market_id, o.outcome_index from outcomes o where o.id = p.outcome_id and ${ofSide(outcomeIndex)} offset 0) o`;

/** The market `m` of its outcome. */
export const market = (category: string | null): SQL =>
  sql`cross join lateral (select m.condition_id from markets m where m.id = o.market_id and ${isListedMarket(category)} offset 0) m`;
