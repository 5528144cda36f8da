import type { Pool } from "@neondatabase/serverless";
import { and, eq, ne, sql } from "drizzle-orm";
import { z } from "zod";
import { s, t } from "../../db/aliases.ts";
import { atCommit, inTransaction, sessionOf, type Session } from "../../db/client.ts";
import { traders, traderSyncs } from "../../db/schema.ts";
import { array, columnName, epochMs, integer, run, selectRow } from "../../db/sql.ts";
import { decideNextSync, decideTier, type Tier } from "../../domain/traders/tracking.ts";
import { describeError } from "../../platform/log/console-log.ts";
import { ProviderRefused, type Provider } from "../../platform/provider.ts";
import { activityReferences, activityTrader, applyActivityPage, conditionsToHydrate } from "./apply-activity-page.ts";
import { StoredOrdinalCarry } from "../feeds/checkpoints.ts";
import { CONVERSION_GAP } from "./conversions/pending-conversions.ts";
import { bookPendingConversions } from "./conversions/book-pending-conversions.ts";
import { hydrateMarkets } from "../markets/hydrate-markets.ts";
import { lookUpIds } from "../feeds/resolve-ids.ts";
import type { RowIdCache } from "../feeds/row-id-cache.ts";
import { publishEvents } from "../../events/outbox/publish-events.ts";
import { bookPendingSplits, SPLIT_GAPS } from "./book-pending-splits.ts";
import { readSyncState, type SyncState } from "./read-sync-state.ts";

/** Pages that one message may read. The next message continues a longer history from the stored cursor. */
const PAGES_PER_SYNC = 20;
/** An incremental sync re-reads this much before its watermark, because rows arrive late. */
const OVERLAP_MS = 600_000;

/**
 * An unfinished walk. Its lower bound is stored with it: the provider's cursor holds only an offset, and
 * every page must be requested with the same filter.
 */
const Resume = z.object({ since_ms: z.number().nullable(), cursor: z.string().nullable(), carry: StoredOrdinalCarry });

type Resume = z.output<typeof Resume>;

const SyncRow = z.object({
  trader_id: integer,
  resume: Resume.nullable(),
  covered_ms: z.number().nullable(),
  complete: z.boolean(),
});

type SyncRow = z.output<typeof SyncRow>;

/**
 * Reads the activity of a tracked trader that is due, oldest first, from where the last sync stopped, in one transaction per
 * page. At the end of the walk it books the pending conversions, splits and merges. A message may arrive long after another one
 * has done its work: a trader that is not due is left as it is.
 */
export async function syncTrader(
  pool: Pool,
  provider: Provider,
  address: string,
  known: RowIdCache,
  now: () => Date,
): Promise<void> {
  const sync = await findDueSync(sessionOf(pool), address);
  if (sync === null) return;
  let walk = sync.resume ?? startWalk(sync);
  for (let pages = 0; pages < PAGES_PER_SYNC; pages++) {
    const { since_ms, cursor, carry } = walk;
    const page = await provider
      .listActivity(address, since_ms === null ? null : new Date(since_ms), cursor)
      .catch(async (error: unknown) => {
        await recordFailure(pool, sync, describeError(error));
        // The provider no longer accepts the cursor: the next message starts a new walk.
        if (error instanceof ProviderRefused && cursor !== null) await releaseSync(pool, sync, null);
        throw error;
      });
    // Splits and merges of a market with unknown outcomes could not be booked.
    await hydrateMarkets(pool, provider, conditionsToHydrate(page), now);
    const appliedAt = now();
    const times = page.rows.map((row) =>
      (row.kind === "trade" ? row.trade.tradedAt : row.activity.happenedAt).getTime(),
    );
    // A row with a future time must not move the watermark past rows that are still to come.
    const newestMs = Math.max(...times.map((time) => Math.min(time, appliedAt.getTime())));
    const found = await lookUpIds(sessionOf(pool), activityReferences(page), [activityTrader(address, page)], known);
    const { resume, gaps } = await known.cacheAfterCommit(() =>
      inTransaction(pool, async (session) => {
        // The page begins with the ledger lock. The state is read under it, in the same message.
        const [applied, before] = await Promise.all([
          applyActivityPage(session, address, page, carry, found),
          readSyncState(session, sync.trader_id),
        ]);
        const next = page.nextCursor === null ? null : { since_ms, cursor: page.nextCursor, carry: applied.carry };
        if (before === null) return { learned: applied.learned, resume: next, gaps: [] };
        const end = next === null ? endOfWalk(before, applied.newestAddedMs, appliedAt) : null;
        await atCommit(session, (last) =>
          Promise.all([
            end !== null && writeTier(last, sync.trader_id, end.tier),
            saveSync(last, sync, { resume: next, newestMs, applied, end }),
            end?.isFirst === true && publishSynced(last, sync, address),
          ]),
        );
        return { learned: applied.learned, resume: next, gaps: [...before.gaps, ...applied.gaps] };
      }),
    );
    if (resume === null) {
      await bookPending(pool, provider, sync, gaps, now);
      return;
    }
    walk = resume;
  }
  await releaseSync(pool, sync, walk);
}

/**
 * Books what the walk left pending. Until this succeeds the trader keeps its gaps, and every later sync tries
 * again.
 */
async function bookPending(
  pool: Pool,
  provider: Provider,
  sync: SyncRow,
  gaps: readonly string[],
  now: () => Date,
): Promise<void> {
  const traderId = sync.trader_id;
  try {
    if (gaps.some((gap) => SPLIT_GAPS.includes(gap))) await bookPendingSplits(pool, provider, traderId, now);
    if (gaps.includes(CONVERSION_GAP)) await bookPendingConversions(pool, provider, traderId, now);
  } catch (error) {
    await recordFailure(pool, sync, describeError(error));
    throw error;
  }
}

/**
 * The first walk starts at the beginning of the history. Once a walk has reached the end, later walks re-read
 * only an overlap.
 */
function startWalk(sync: SyncRow): Resume {
  const since_ms = sync.complete && sync.covered_ms !== null ? sync.covered_ms - OVERLAP_MS : null;
  return { since_ms, cursor: null, carry: null };
}

/** Makes the trader due at once, so that the next message continues. */
async function releaseSync(pool: Pool, sync: SyncRow, resume: Resume | null): Promise<void> {
  await sessionOf(pool)
    .update(traderSyncs)
    .set({ resume, dueAt: sql`now()` })
    .where(eq(traderSyncs.traderId, sync.trader_id));
}

/**
 * Stores the error for an operator until a page succeeds. Meanwhile neither the backfill nor other traders
 * wait for this one.
 */
async function recordFailure(pool: Pool, sync: SyncRow, message: string): Promise<void> {
  await sessionOf(pool)
    .update(traderSyncs)
    .set({ lastError: message.slice(0, 500), failedAt: sql`now()` })
    .where(eq(traderSyncs.traderId, sync.trader_id));
}

const findDueSync = (session: Session, address: string): Promise<SyncRow | null> =>
  selectRow(
    session,
    sql`select ${s.traderId}, ${s.resume}, ${epochMs(s.coveredTo)} as covered_ms,
       ${s.completeAt} is not null as complete
     from ${t} join ${s} on ${s.traderId} = ${t.id} where ${t.address} = ${address} and ${s.dueAt} <= now()`,
    SyncRow,
  );

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
}

async function saveSync(session: Session, sync: SyncRow, page: AppliedWalkPage): Promise<void> {
  const { applied, end } = page;
  const resume = page.resume === null ? null : JSON.stringify(page.resume);
  const newestMs = Number.isFinite(page.newestMs) ? page.newestMs : null;
  await run(
    session,
    sql`update ${s} set
       ${columnName(s.resume)} = ${resume}::jsonb,
       ${columnName(s.coveredTo)} = greatest(${s.coveredTo}, to_timestamp(${newestMs}::float8 / 1000)),
       ${columnName(s.gaps)} = array(select distinct unnest(${s.gaps} || ${array(applied.gaps, "text")}) order by 1),
       ${columnName(s.combosDueAt)} =
         case when ${applied.combosDue} then least(${s.combosDueAt}, now()) else ${s.combosDueAt} end,
       ${columnName(s.lastError)} = null,
       ${columnName(s.failedAt)} = null,
       ${columnName(s.completeAt)} = coalesce(${end?.at.toISOString() ?? null}::timestamptz, ${s.completeAt}),
       ${columnName(s.dueAt)} = coalesce(${end?.dueAt.toISOString() ?? null}::timestamptz, ${s.dueAt})
     where ${s.traderId} = ${sync.trader_id}`,
  );
}

const publishSynced = (session: Session, sync: SyncRow, address: string): Promise<void> =>
  publishEvents(session, [
    { type: "trader_synced", payload: { trader_id: sync.trader_id, wallet: address }, occurrence: address },
  ]);
