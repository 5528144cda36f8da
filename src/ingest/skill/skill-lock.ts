import { sql } from "drizzle-orm";
import type { Session } from "../../db/client.ts";
import { run } from "../../db/sql.ts";

// Key of the Postgres advisory lock; any number unique to this purpose.
const SKILL_LOCK = 7_201_442;

/**
 * Allows one writer of bets and evidence at a time, because two markets of one event change the same sums of
 * a trader. Never taken together with the ledger lock, so they cannot deadlock.
 */
export async function lockSkill(session: Session): Promise<void> {
  await run(session, sql`select pg_advisory_xact_lock(${SKILL_LOCK})`);
}
