import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { LARGE_TRADES_AS_OF } from "../../db/coverage.ts";
import { combos, jobHeartbeats } from "../../db/schema.ts";
import { isoText, timestamp } from "../../db/sql.ts";

/** The job that reads the legs and the events of combos. */
const READER = "read_combos";

/** A combo that waits longer for its read is part of a backlog. */
const OVERDUE_AFTER_MS = 900_000;

/** When the sources of combos were last read, ISO; null before the first time. */
export const ComboCoverageRow = z.object({
  trade_feed_read_at: z.string().nullable(),
  combos_read_at: z.string().nullable(),
  has_backlog: z.boolean(),
});

export type ComboCoverageRow = z.output<typeof ComboCoverageRow>;

/** When the job last succeeded; null before the first time. */
export const COMBOS_READ_AT: SQL = sql`(
  select ${jobHeartbeats.succeededAt} from ${jobHeartbeats} where ${jobHeartbeats.job} = ${READER})`;

/** A `ComboCoverageRow` as JSON. */
export const coverageJson = (now: Date): SQL =>
  sql`jsonb_build_object('trade_feed_read_at', ${isoText(LARGE_TRADES_AS_OF)},
    'combos_read_at', ${isoText(COMBOS_READ_AT)},
    'has_backlog', exists (select from ${combos}
      where ${combos.readDueAt} < ${timestamp(new Date(now.getTime() - OVERDUE_AFTER_MS))}))`;
