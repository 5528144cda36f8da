import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { sessionOf, type Session } from "../../db/client.ts";
import { skillDue, skillMarkets } from "../../db/schema.ts";
import { columnNames, run } from "../../db/sql.ts";
import { chunk } from "../../lib/chunk.ts";
import type { IngestMessage } from "../../messages/ingest-message.ts";

const MARKETS_AT_ONCE = 200;
const MARKETS_PER_MESSAGE = 10;

/**
 * The markets whose bets have been due for scoring the longest. They stay due until they are scored, so a
 * market may be listed again meanwhile; the second message finds nothing to do.
 */
export async function listMarketsToScore(pool: Pool): Promise<IngestMessage[]> {
  const session = sessionOf(pool);
  await markWithoutStory(session);
  const rows = await session
    .select({ id: skillDue.marketId })
    .from(skillDue)
    .orderBy(skillDue.since, skillDue.marketId)
    .limit(MARKETS_AT_ONCE);
  const ids = rows.map(({ id }) => id);
  return chunk(ids, MARKETS_PER_MESSAGE).map((group) => ({ kind: "score_markets", market_ids: group }));
}

/**
 * Marks some of the markets whose sums were stored before stories were known. Not part of the migration: until a
 * deployment ends, the previous release could score them in the old way.
 */
async function markWithoutStory(session: Session): Promise<void> {
  await run(
    session,
    sql`insert into ${skillDue} (${columnNames(skillDue.marketId)})
     select distinct ${skillMarkets.marketId} from ${skillMarkets} where ${skillMarkets.story} is null
     order by ${skillMarkets.marketId} limit ${MARKETS_AT_ONCE}
     on conflict (${columnNames(skillDue.marketId)}) do nothing`,
  );
}
