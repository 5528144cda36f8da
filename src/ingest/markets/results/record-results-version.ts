import { sql } from "drizzle-orm";
import type { Session } from "../../../db/client.ts";
import { ingestCheckpoints } from "../../../db/schema.ts";
import { columnName, columnNames, run } from "../../../db/sql.ts";

/**
 * Records that markets have ended, got a result or lost one. The stored time is unique each time;
 * `publish-cache-versions.ts` publishes it as the version of `results`. It only increases: a later transaction waits
 * for the row and then reads the clock.
 */
export async function recordResultsVersion(session: Session): Promise<void> {
  const { feed, state, updatedAt } = ingestCheckpoints;
  await run(
    session,
    sql`insert into ${ingestCheckpoints} (${columnNames(feed, state, updatedAt)})
      values ('results', jsonb_build_object('since', clock_timestamp()), now())
     on conflict (${columnNames(feed)}) do update set ${columnName(updatedAt)} = now(), ${columnName(state)} = jsonb_build_object('since',
       greatest(clock_timestamp(), (${state} ->> 'since')::timestamptz + interval '1 microsecond'))`,
  );
}
