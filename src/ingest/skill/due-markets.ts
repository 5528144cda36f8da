import type { Pool } from "@neondatabase/serverless";
import type { IngestMessage } from "../../messages/ingest.ts";

const MARKETS_AT_ONCE = 200;
const MARKETS_A_MESSAGE = 10;

/**
 * The markets that have waited longest for their bets to be read. They stay due until that is done, so one may be handed out again
 * meanwhile; the second message finds nothing to do.
 */
export async function listDueMarkets(pool: Pool): Promise<IngestMessage[]> {
  const { rows } = await pool.query<{ market_id: string }>(`select market_id from skill_due order by since, market_id limit $1`, [
    MARKETS_AT_ONCE,
  ]);
  const ids = rows.map((row) => Number(row.market_id));
  const messages: IngestMessage[] = [];
  for (let start = 0; start < ids.length; start += MARKETS_A_MESSAGE) {
    messages.push({ kind: "score_markets", market_ids: ids.slice(start, start + MARKETS_A_MESSAGE) });
  }
  return messages;
}
