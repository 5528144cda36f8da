import { sql, type SQL } from "drizzle-orm";
import { m, o, p, s, t } from "../../db/aliases.ts";
import { HAS_KNOWN_HISTORY, hasGrade, isListedMarket, isSide } from "./filters.ts";

// Joins for a candidate `p` that remove the candidates that do not pass. The fences ("offset 0") keep them
// lookups in the candidates' order, so that a page reads only the rows it shows, and save Postgres from
// planning the join order.

/** Requires that the positions of its trader follow from the trader's whole activity. */
export const JOIN_KNOWN_HISTORY = sql`cross join lateral (select from ${s} where ${s.traderId} = ${p.traderId}
  and ${HAS_KNOWN_HISTORY} offset 0) whole`;

/** Joins its trader `t`. */
export const joinTrader = (grades: readonly string[] | null): SQL =>
  sql`cross join lateral (select ${t.address} from ${t} where ${t.id} = ${p.traderId}
    and ${hasGrade(grades)} offset 0) t`;

/** Joins its outcome `o`. */
export const joinOutcome = (outcomeIndex: 0 | 1 | null): SQL =>
  sql`cross join lateral (select ${o.marketId}, ${o.outcomeIndex} from ${o} where ${o.id} = ${p.outcomeId}
    and ${isSide(outcomeIndex)} offset 0) o`;

/** Joins the market `m` of its outcome. */
export const joinMarket = (category: string | null): SQL =>
  sql`cross join lateral (select ${m.conditionId} from ${m} where ${m.id} = ${o.marketId}
    and ${isListedMarket(category)} offset 0) m`;
