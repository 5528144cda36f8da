import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { m, o } from "../../db/aliases.ts";
import { sessionOf } from "../../db/client.ts";
import { holderScans } from "../../db/schema.ts";
import {
  array,
  columnName,
  columnNames,
  excluded,
  integer,
  run,
  selectRows,
  setEach,
  timestamp,
} from "../../db/sql.ts";
import { PRICE_MAX_AGE_SECONDS } from "../../domain/picks/pick-schedule.ts";
import type { IngestMessage } from "../../messages/ingest-message.ts";
import { listCandidates } from "./list-candidates.ts";
import { isWithdrawn, k } from "../../db/fragments/picks.ts";

const TOKENS_PER_MESSAGE = 100;

/**
 * Asks for what selection, publication and closing prices read: holder scans of candidates and of slots, and the
 * books of both and of published picks before their kickoff.
 *
 * @returns the books to refresh
 */
export async function watchMarkets(pool: Pool, now: Date): Promise<IngestMessage[]> {
  const session = sessionOf(pool);
  const candidates = await listCandidates(session, now);
  const slots = await selectRows(
    session,
    sql`select ${k.marketId}, ${k.publishedAt} is null as is_unpublished, ${o.tokenId}
     from ${k} join ${m} on ${m.id} = ${k.marketId}
       join ${o} on ${o.marketId} = ${m.id} and ${o.outcomeIndex} is not null
     where not ${m.closed} and ${m.payoutsPpm} is null and ${k.kickoff} > ${timestamp(now)} and not ${isWithdrawn(k.id)}
       and (${k.publishedAt} is null
         or ${k.kickoff} < ${timestamp(now)} + make_interval(secs => ${2 * PRICE_MAX_AGE_SECONDS}))`,
    z.object({ market_id: integer, is_unpublished: z.boolean(), token_id: z.string() }),
  );
  const unpublished = slots.filter((slot) => slot.is_unpublished).map((slot) => slot.market_id);
  const scanned = [...new Set([...candidates.map(({ marketId }) => marketId), ...unpublished])];
  const { marketId, requestedAt } = holderScans;
  if (scanned.length > 0)
    await run(
      session,
      sql`insert into ${holderScans} (${columnNames(marketId, requestedAt)})
       select id, ${timestamp(now)} from unnest(${array(scanned, "bigint")}) id order by id
       on conflict (${columnName(marketId)}) do update set ${setEach([requestedAt], excluded)}`,
    );
  const tokens = [
    ...new Set([...candidates.flatMap(({ tokenIds }) => tokenIds), ...slots.map((slot) => slot.token_id)]),
  ];
  const messages: IngestMessage[] = [];
  for (let start = 0; start < tokens.length; start += TOKENS_PER_MESSAGE)
    messages.push({ kind: "refresh_books", token_ids: tokens.slice(start, start + TOKENS_PER_MESSAGE) });
  return messages;
}
