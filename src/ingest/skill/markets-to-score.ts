import type { Pool } from "@neondatabase/serverless";
import { sessionOf } from "../../db/client.ts";
import { skillDue } from "../../db/schema.ts";
import { chunk } from "../../lib/chunk.ts";
import type { IngestMessage } from "../../messages/ingest-message.ts";

const MARKETS_AT_ONCE = 200;
const MARKETS_PER_MESSAGE = 10;

/**
 * The markets whose bets have been due for scoring the longest. They stay due until they are scored, so a
 * market may be listed again meanwhile; the second message finds nothing to do.
 */
export async function listMarketsToScore(pool: Pool): Promise<IngestMessage[]> {
  const rows = await sessionOf(pool)
    .select({ id: skillDue.marketId })
    .from(skillDue)
    .orderBy(skillDue.since, skillDue.marketId)
    .limit(MARKETS_AT_ONCE);
  const ids = rows.map(({ id }) => id);
  return chunk(ids, MARKETS_PER_MESSAGE).map((group) => ({ kind: "score_markets", market_ids: group }));
}
