import { sql } from "drizzle-orm";
import type { Session } from "../../../db/client.ts";
import { ingestCheckpoints } from "../../../db/schema.ts";
import { columnNames, excluded, run, setEach } from "../../../db/sql.ts";

/**
 * Records that markets have ended, got a result or lost one. The stored time is unique each time;
 * `publish-cache-versions.ts` publishes it as the version of `results`. The caller must hold the ledger lock,
 * so that it only increases.
 */
export async function recordResultsVersion(session: Session): Promise<void> {
  const { feed, state, updatedAt } = ingestCheckpoints;
  await run(
    session,
    sql`insert into ${ingestCheckpoints} (${columnNames(feed, state, updatedAt)})
      values ('results', jsonb_build_object('since', clock_timestamp()), now())
     on conflict (${columnNames(feed)}) do update set ${setEach([state, updatedAt], excluded)}`,
  );
}
