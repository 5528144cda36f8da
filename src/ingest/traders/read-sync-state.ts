import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { l, s, t, totals } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { ingestCheckpoints, trendingEntries } from "../../db/schema.ts";
import { epochMs, integer, selectRow } from "../../db/sql.ts";
import { GRADES } from "../../domain/traders/grades.ts";
import { checkpointOf, StoredOrdinalCarry } from "../feeds/checkpoints.ts";
import { TIERS, type Tier, type TrackingReasons } from "../../domain/traders/tracking.ts";

/**
 * An unfinished walk. Its lower bound is stored with it: the provider's cursor holds only an offset, and
 * every page must be requested with the same filter.
 */
const Resume = z.object({ since_ms: z.number().nullable(), cursor: z.string().nullable(), carry: StoredOrdinalCarry });

export type Resume = z.output<typeof Resume>;

const StateRow = z.object({
  tier: z.enum(TIERS),
  grade: z.enum(GRADES).nullable(),
  is_on_board: z.boolean(),
  large_trade_ms: z.number().nullable(),
  active_ms: z.number().nullable(),
  gaps: z.array(z.string()),
  is_complete: z.boolean(),
});

const DueRow = StateRow.extend({
  address: z.string(),
  trader_id: integer,
  resume: Resume.nullable(),
  covered_ms: z.number().nullable(),
  feed_ms: z.number().nullable(),
});

/** What is stored of a followed trader before a page of its activity is. */
export interface SyncState {
  readonly tier: Tier;
  readonly reasons: TrackingReasons;
  readonly gaps: readonly string[];
  /** A walk has read its activity to the end. */
  readonly isComplete: boolean;
}

/** The sync of a followed trader. */
export interface TraderSync {
  readonly address: string;
  readonly traderId: number;
  readonly resume: Resume | null;
  /** Time of the newest row that was read; null before the first one. */
  readonly coveredMs: number | null;
  /** The watermark of the feed of all parties; null before the end of its first walk. */
  readonly feedMs: number | null;
  readonly state: SyncState;
}

const STATE = sql`${t.tier}, ${t.grade}, ${s.gaps}, ${s.completeAt} is not null as is_complete,
   exists (select from ${trendingEntries} where ${trendingEntries.traderId} = ${t.id}) as is_on_board,
   (select ${epochMs(sql`max(${l.tradedAt})`)} from ${l} where ${l.traderId} = ${t.id}) as large_trade_ms,
   ${epochMs(totals.lastAt)} as active_ms`;

const FOLLOWED = sql`${t} join ${s} on ${s.traderId} = ${t.id} left join ${totals} on ${totals.traderId} = ${t.id}`;

const FEED_WATERMARK = sql`
  select (${ingestCheckpoints.state} ->> 'watermarkMs')::float8 from ${ingestCheckpoints}
  where ${ingestCheckpoints.feed} = ${checkpointOf("all")}`;

/** A statement that selects a trader that is due. */
export const selectDueSync = (address: string): SQL =>
  sql`select ${t.address}, ${s.traderId}, ${s.resume}, ${epochMs(s.coveredTo)} as covered_ms, (${FEED_WATERMARK}) as feed_ms, ${STATE}
     from ${FOLLOWED} where ${t.address} = ${address} and ${s.dueAt} <= now()`;

/**
 * @param rows of `selectDueSync`
 * @returns null when the trader is not due
 */
export function parseDueSync(rows: readonly unknown[]): TraderSync | null {
  if (rows.length === 0) return null;
  const row = DueRow.parse(rows[0]);
  return {
    ...{ address: row.address, traderId: row.trader_id, resume: row.resume },
    ...{ coveredMs: row.covered_ms, feedMs: row.feed_ms },
    state: toState(row),
  };
}

/**
 * One message; null when the trader is no longer followed. Holders of the ledger lock open and close gaps and end the first
 * walk; the end of a read of combos closes its gap under the row lock of the sync.
 */
export async function readSyncState(session: Session, traderId: number): Promise<SyncState | null> {
  const row = await selectRow(session, sql`select ${STATE} from ${FOLLOWED} where ${t.id} = ${traderId}`, StateRow);
  return row === null ? null : toState(row);
}

const toState = (row: z.output<typeof StateRow>): SyncState => ({
  tier: row.tier,
  reasons: {
    grade: row.grade,
    isOnBoard: row.is_on_board,
    lastLargeTradeAt: toDate(row.large_trade_ms),
    lastActiveAt: toDate(row.active_ms),
  },
  gaps: row.gaps,
  isComplete: row.is_complete,
});

const toDate = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
