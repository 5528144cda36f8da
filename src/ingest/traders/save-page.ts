import type { Pool } from "@neondatabase/serverless";
import { and, eq, ne, sql, type SQL } from "drizzle-orm";
import { s, t } from "../../db/aliases.ts";
import { atCommit, commitTogether, type Session } from "../../db/client.ts";
import { traders } from "../../db/schema.ts";
import { allOf, array, columnName, run } from "../../db/sql.ts";
import { decideNextSync, decideTier, type Tier } from "../../domain/traders/tracking.ts";
import { publishEvents } from "../../events/outbox/publish-events.ts";
import type { ProviderActivity, ProviderPage } from "../../platform/provider.ts";
import { VIEW_LAG_MS } from "../combos/judge-combos.ts";
import type { KnownRowIds, NewRowIds } from "../feeds/row-id-cache.ts";
import type { OrdinalCarry } from "../feeds/row-ordinals.ts";
import { lockSync } from "../ledger/row-locks.ts";
import type { HeldLease } from "../queue/work-leases.ts";
import { applyActivityPage } from "./apply-activity-page.ts";
import { readSyncState, type Resume, type SyncState, type TraderSync } from "./read-sync-state.ts";
import type { RecordedRows } from "./recorded-page.ts";

/** A page, and what its transaction needs. */
export interface ReadPage {
  readonly page: ProviderPage<ProviderActivity>;
  readonly carry: OrdinalCarry | null;
  readonly found: KnownRowIds;
  readonly recorded: RecordedRows;
  readonly newestMs: number;
  /** The lower bound of the walk. */
  readonly since_ms: number | null;
  readonly at: Date;
}

interface SavedPage {
  readonly learned: NewRowIds;
  /** Null at the end of the walk. */
  readonly resume: Resume | null;
  readonly gaps: readonly string[];
}

/**
 * Ends the walk of a trader whose last page is recorded already, as about half of those of hot traders are. Pages of trades then do
 * not wait for it: it takes the row of the sync instead of the ledger lock.
 *
 * @returns null, with nothing written, when the page has to be applied or the trader changes its tier
 */
export async function endRecordedWalk(
  pool: Pool,
  sync: TraderSync,
  read: ReadPage,
  lease: HeldLease | null,
): Promise<SavedPage | null> {
  const { gaps } = sync.state;
  const end = endOfWalk(sync.state, null, read.at);
  if (read.page.nextCursor !== null || end.tier !== sync.state.tier || !read.recorded.areAll) return null;
  // The next read begins before what is left to the feeds.
  const newestMs = Math.min(read.newestMs, (read.recorded.leftFromMs ?? Infinity) - 1);
  // A page of trades that raises the trader writes the row before this lock, or waits for it and makes the trader due.
  await commitTogether(pool, [
    lockSync(sync.traderId),
    saveSync(sync, {
      resume: null,
      newestMs,
      applied: { gaps: [], combosDue: read.recorded.combosDue },
      end,
      whileIn: end.tier,
    }),
    ...(lease !== null && gaps.length === 0 ? [lease.end()] : []),
  ]);
  return { learned: NOTHING_LEARNED, resume: null, gaps };
}

/** The page begins with the ledger lock. The state is read under it, in the same message. */
export async function savePage(
  session: Session,
  sync: TraderSync,
  read: ReadPage,
  lease: HeldLease | null,
): Promise<SavedPage> {
  const { page, carry, found, recorded, newestMs, since_ms, at } = read;
  const [applied, before] = await Promise.all([
    applyActivityPage(session, sync.address, page, carry, found, recorded.entries),
    readSyncState(session, sync.traderId),
  ]);
  const resume = page.nextCursor === null ? null : { since_ms, cursor: page.nextCursor, carry: applied.carry };
  if (before === null) return { learned: applied.learned, resume, gaps: [] };
  const end = resume === null ? endOfWalk(before, applied.newestAddedMs, at) : null;
  const gaps = [...before.gaps, ...applied.gaps];
  await atCommit(session, (last) =>
    Promise.all([
      end !== null && writeTier(last, sync.traderId, end.tier),
      run(last, saveSync(sync, { resume, newestMs, applied, end })),
      end?.isFirst === true && publishSynced(last, sync),
      end !== null && gaps.length === 0 && lease !== null && run(last, lease.end()),
    ]),
  );
  return { learned: applied.learned, resume, gaps };
}

/** What the end of a walk changes. */
interface WalkEnd {
  readonly tier: Tier;
  readonly dueAt: Date;
  readonly at: Date;
  /** The first walk that has reached the end. */
  readonly isFirst: boolean;
}

/** Moves the trader to its due tracking tier, up or down. */
function endOfWalk({ reasons, isComplete }: SyncState, newestAddedMs: number | null, at: Date): WalkEnd {
  const activeMs = Math.max(reasons.lastActiveAt?.getTime() ?? -Infinity, newestAddedMs ?? -Infinity);
  const lastActiveAt = Number.isFinite(activeMs) ? new Date(activeMs) : null;
  const tier = decideTier({ ...reasons, lastActiveAt }, at);
  return { tier, dueAt: decideNextSync(tier, at), at, isFirst: !isComplete };
}

const writeTier = (session: Session, traderId: number, tier: Tier): Promise<unknown> =>
  session
    .update(traders)
    .set({ tier })
    .where(and(eq(traders.id, traderId), ne(traders.tier, tier)));

interface AppliedWalkPage {
  readonly resume: Resume | null;
  readonly newestMs: number;
  readonly applied: { readonly gaps: readonly string[]; readonly combosDue: boolean };
  /** Null while pages follow. */
  readonly end: WalkEnd | null;
  /** Nothing is saved, so that the trader stays due, if it has another tier by then. */
  readonly whileIn?: Tier;
}

const NOTHING_LEARNED: NewRowIds = { traders: new Map(), outcomes: new Map() };

/** At once for a trader whose combos were never read. */
const NEXT_COMBO_READ = sql`greatest(now(), ${s.combosReadAt} + make_interval(secs => ${sql.raw(String(VIEW_LAG_MS / 1_000))}))`;

function saveSync(sync: TraderSync, page: AppliedWalkPage): SQL {
  const { applied, end, whileIn } = page;
  const resume = page.resume === null ? null : JSON.stringify(page.resume);
  const newestMs = Number.isFinite(page.newestMs) ? page.newestMs : null;
  return sql`update ${s} set
       ${columnName(s.resume)} = ${resume}::jsonb,
       ${columnName(s.coveredTo)} = greatest(${s.coveredTo}, to_timestamp(${newestMs}::float8 / 1000)),
       ${columnName(s.gaps)} = array(select distinct unnest(${s.gaps} || ${array(applied.gaps, "text")}) order by 1),
       ${columnName(s.combosDueAt)} =
         case when ${applied.combosDue} then least(${s.combosDueAt}, ${NEXT_COMBO_READ}) else ${s.combosDueAt} end,
       ${columnName(s.lastError)} = null,
       ${columnName(s.failedAt)} = null,
       ${columnName(s.completeAt)} = coalesce(${end?.at.toISOString() ?? null}::timestamptz, ${s.completeAt}),
       ${columnName(s.dueAt)} = coalesce(${end?.dueAt.toISOString() ?? null}::timestamptz, ${s.dueAt})
     where ${allOf([sql`${s.traderId} = ${sync.traderId}`, whileIn === undefined ? null : isInTier(sync, whileIn)])}`;
}

const isInTier = (sync: TraderSync, tier: Tier): SQL =>
  sql`(select ${t.tier} from ${t} where ${t.id} = ${sync.traderId}) = ${tier}`;

const publishSynced = (session: Session, { traderId, address }: TraderSync): Promise<void> =>
  publishEvents(session, [
    { type: "trader_synced", payload: { trader_id: traderId, wallet: address }, occurrence: address },
  ]);
