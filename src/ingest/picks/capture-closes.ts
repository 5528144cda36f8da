import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { m, o } from "../../db/aliases.ts";
import { sessionOf } from "../../db/client.ts";
import { at, outcomePriceBasis, quotesReadAt } from "../../db/fragments/market-price.ts";
import { pickCloses } from "../../db/schema.ts";
import { alias, columnName, columnNames, excluded, run, setEach, timestamp } from "../../db/sql.ts";
import { PRICE_MAX_AGE_SECONDS } from "../../domain/picks/pick-schedule.ts";
import { g, k } from "../../db/fragments/picks.ts";

const stored = alias(pickCloses, "stored");

/**
 * Stores the newest price of each published pick's side in the last ten minutes before its kickoff, or before the
 * game's own start if that is earlier. The price is the midpoint of a live book, as the entry price is. After the
 * kickoff the last one stays: the closing price.
 */
export async function captureCloses(pool: Pool, now: Date): Promise<void> {
  const time = timestamp(now);
  const window = sql`make_interval(secs => ${PRICE_MAX_AGE_SECONDS})`;
  const start = sql`least(${k.kickoff}, ${g.scheduledAt})`;
  const { pickId, price, observedAt } = pickCloses;
  const priced = { market: m, outcome: o, now: at(now) };
  const readAt = quotesReadAt(priced);
  await run(
    sessionOf(pool),
    sql`insert into ${pickCloses} (${columnNames(pickId, price, observedAt)})
     select ${k.id}, round(${o.markPrice}, 6), ${readAt}
     from ${k} join ${g} on ${g.id} = ${k.gameId} join ${m} on ${m.id} = ${k.marketId}
       join ${o} on ${o.marketId} = ${m.id} and ${o.outcomeIndex} = ${k.outcomeIndex}
     where ${k.publishedAt} is not null and ${k.kickoff} > ${time} and ${k.kickoff} <= ${time} + ${window}
       and ${start} > ${time} and ${g.live} is not true and ${g.ended} is not true
       and ${outcomePriceBasis(priced)} = 'midpoint'
       and ${readAt} > ${k.kickoff} - ${window} and ${readAt} < ${start} and ${readAt} <= ${time}
       and not exists (select from ${stored} where ${stored.pickId} = ${k.id} and ${stored.observedAt} >= ${readAt})
     on conflict (${columnName(pickId)}) do update set ${setEach([price, observedAt], excluded)}`,
  );
}
