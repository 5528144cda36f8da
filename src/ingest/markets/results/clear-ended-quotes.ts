import { sql } from "drizzle-orm";
import { m, o } from "../../../db/aliases.ts";
import type { Session } from "../../../db/client.ts";
import { noBookBefore, quotedSince } from "../../../db/fragments/market-price.ts";
import { array, run, setEach, timestamp } from "../../../db/sql.ts";

const QUOTES = [o.bestBid, o.bestAsk, o.bidDepthUsd, o.askDepthUsd, o.bookSource, o.bookAsOf];

/**
 * Clears the quotes of these markets that are from before their end, so that their outcomes are marked at the
 * last trade. The caller has locked these markets and their outcomes.
 *
 * @returns how many outcomes lost their quotes
 */
export async function clearEndedQuotes(session: Session, marketIds: readonly string[], now: Date): Promise<number> {
  if (marketIds.length === 0) return 0;
  return run(
    session,
    sql`update ${o} set ${setEach(QUOTES, () => sql`null`)}
     from ${m}
     where ${o.marketId} = any(${array(marketIds, "bigint")}) and ${m.id} = ${o.marketId}
       and (${o.bestBid} is not null or ${o.bestAsk} is not null)
       and coalesce(${quotedSince({ market: m, outcome: o })}, '-infinity')
         < ${noBookBefore({ market: m, now: timestamp(now) })}`,
  );
}
