import type { Pool } from "@neondatabase/serverless";
import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { s, t } from "../../db/aliases.ts";
import { inTransaction, sessionOf, type Session } from "../../db/client.ts";
import { traderSyncs } from "../../db/schema.ts";
import { array, columnName, epochMs, integer, selectRow, timestamp } from "../../db/sql.ts";
import { decideNextSync } from "../../domain/traders/tracking.ts";
import { describeError } from "../../platform/log/console-log.ts";
import { ProviderRefused, type Provider } from "../../platform/provider.ts";
import { applyActivityPage, conditionsToHydrate } from "./apply-activity-page.ts";
import { StoredOrdinalCarry } from "../feeds/checkpoints.ts";
import { CONVERSION_GAP } from "./conversions/pending-conversions.ts";
import { bookPendingConversions } from "./conversions/book-pending-conversions.ts";
import { hydrateMarkets } from "../markets/hydrate-markets.ts";
import type { RowIdCache } from "../feeds/row-id-cache.ts";
import { publishEvents } from "../../events/outbox/publish-events.ts";
import { bookPendingSplits, SPLIT_GAPS } from "./book-pending-splits.ts";
import { updateTier } from "./update-tier.ts";

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
 * Reads a tracked trader's activity, oldest first, from where the last sync stopped, in one transaction per
 * page. At the end of the walk it books the pending conversions, splits and merges.
 *
 * @returns false when the trader is not tracked
 */
export async function syncTrader(
  pool: Pool,
  provider: Provider,
  address: string,
  known: RowIdCache,
  now: () => Date,
): Promise<boolean> {
  const sync = await inTransaction(pool, (session) => findSync(session, address));
  if (sync === null) return false;
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
    const { resume, gaps } = await known.cacheAfterCommit(() =>
      inTransaction(pool, async (session) => {
        const result = await applyActivityPage(session, address, page, carry, known);
        const next = page.nextCursor === null ? null : { since_ms, cursor: page.nextCursor, carry: result.carry };
        const saved = await saveSync(session, sync, {
          address,
          resume: next,
          newestMs,
          gaps: result.gaps,
          combosDue: result.combosDue,
          now: appliedAt,
        });
        return { learned: result.learned, resume: next, gaps: saved.gaps };
      }),
    );
    if (resume === null) {
      await bookPending(pool, provider, sync, gaps, now);
      return true;
    }
    walk = resume;
  }
  await releaseSync(pool, sync, walk);
  return true;
}

/**
 * Whether a tracked trader is due for a sync. A message may arrive long after another one has done its work.
 */
export async function isSyncDue(pool: Pool, address: string): Promise<boolean> {
  const due = await selectRow(
    sessionOf(pool),
    sql`select from ${s} join ${t} on ${t.id} = ${s.traderId} where ${t.address} = ${address} and ${s.dueAt} <= now()`,
    z.object({}),
  );
  return due !== null;
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

const findSync = (session: Session, address: string): Promise<SyncRow | null> =>
  selectRow(
    session,
    sql`select ${s.traderId}, ${s.resume}, ${epochMs(s.coveredTo)} as covered_ms,
       ${s.completeAt} is not null as complete
     from ${t} join ${s} on ${s.traderId} = ${t.id} where ${t.address} = ${address}`,
    SyncRow,
  );

async function saveSync(
  session: Session,
  sync: SyncRow,
  page: {
    address: string;
    resume: Resume | null;
    newestMs: number;
    gaps: readonly string[];
    combosDue: boolean;
    now: Date;
  },
): Promise<{ gaps: readonly string[] }> {
  const ended = page.resume === null;
  const dueAt = ended ? decideNextSync(await updateTier(session, sync.trader_id, page.now), page.now) : null;
  const resume = ended ? null : JSON.stringify(page.resume);
  const newestMs = Number.isFinite(page.newestMs) ? page.newestMs : null;
  const saved = await selectRow(
    session,
    sql`update ${s} set
       ${columnName(s.resume)} = ${resume}::jsonb,
       ${columnName(s.coveredTo)} = greatest(${s.coveredTo}, to_timestamp(${newestMs}::float8 / 1000)),
       ${columnName(s.gaps)} = array(select distinct unnest(${s.gaps} || ${array(page.gaps, "text")}) order by 1),
       ${columnName(s.combosDueAt)} =
         case when ${page.combosDue} then least(${s.combosDueAt}, now()) else ${s.combosDueAt} end,
       ${columnName(s.lastError)} = null,
       ${columnName(s.failedAt)} = null,
       ${columnName(s.completeAt)} =
         case when ${ended} then ${timestamp(page.now)} else ${s.completeAt} end,
       ${columnName(s.dueAt)} =
         case when ${ended} then ${dueAt?.toISOString() ?? null}::timestamptz else ${s.dueAt} end
     from (
       select ${traderSyncs.traderId}, ${traderSyncs.completeAt} from ${traderSyncs}
       where ${traderSyncs.traderId} = ${sync.trader_id} for update
     ) before
     where ${s.traderId} = before.trader_id
     returning ${s.gaps}, ${ended} and before.complete_at is null as is_first`,
    z.object({ gaps: z.array(z.string()), is_first: z.boolean() }),
  );
  if (saved?.is_first) {
    await publishEvents(session, [
      {
        type: "trader_synced",
        payload: { trader_id: sync.trader_id, wallet: page.address },
        occurrence: page.address,
      },
    ]);
  }
  return { gaps: saved?.gaps ?? [] };
}
