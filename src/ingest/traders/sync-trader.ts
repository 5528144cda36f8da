import type { Pool } from "@neondatabase/serverless";
import { eq, sql } from "drizzle-orm";
import { inTransaction, sessionOf } from "../../db/client.ts";
import { traderSyncs } from "../../db/schema.ts";
import { describeError } from "../../platform/log/console-log.ts";
import { ProviderRefused, type Provider, type ProviderActivity, type ProviderPage } from "../../platform/provider.ts";
import { activityReferences, activityTrader, conditionsToHydrate } from "./apply-activity-page.ts";
import { CONVERSION_GAP } from "./conversions/pending-conversions.ts";
import { bookPendingConversions } from "./conversions/book-pending-conversions.ts";
import { Slots } from "../../lib/slots.ts";
import { hydrateMarkets } from "../markets/hydrate-markets.ts";
import type { HeldLease } from "../queue/work-leases.ts";
import { lookUpIds } from "../feeds/resolve-ids.ts";
import type { KnownRowIds, RowIdCache } from "../feeds/row-id-cache.ts";
import { bookPendingSplits, SPLIT_GAPS } from "./book-pending-splits.ts";
import type { Resume, TraderSync } from "./read-sync-state.ts";
import { findRecordedRows, NOTHING_RECORDED } from "./recorded-page.ts";
import { endRecordedWalk, savePage } from "./save-page.ts";

/** Pages that one message may read. The next message continues a longer history from the stored cursor. */
const PAGES_PER_SYNC = 20;
/** An incremental sync re-reads this much before its watermark, because rows arrive late. */
const OVERLAP_MS = 600_000;

export interface SyncSettings {
  readonly rowIds: RowIdCache;
  readonly now: () => Date;
  /** Bounds the transactions of callers that wait for the ledger at once; none waits for another when absent. */
  readonly ledgerSlots?: Slots;
  /** Ended with the last page when nothing is left to book. */
  readonly lease?: HeldLease | null;
}

/**
 * Reads the activity of a due trader, oldest first, from where the last sync stopped, in one transaction per page. At the end of
 * the walk it books the pending conversions, splits and merges.
 */
export async function syncTrader(
  pool: Pool,
  provider: Provider,
  sync: TraderSync,
  { rowIds, now, ledgerSlots = new Slots(1), lease = null }: SyncSettings,
): Promise<void> {
  const { address } = sync;
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
    const found = await lookUpPage(pool, address, page, rowIds);
    // Of a history that is read for the first time, the feeds have recorded little.
    const recorded = sync.state.isComplete
      ? await findRecordedRows(sessionOf(pool), sync, { page, carry, at: appliedAt }, found)
      : NOTHING_RECORDED;
    const read = { page, carry, newestMs, since_ms, at: appliedAt, found, recorded };
    // The state of the sync is that before the first page.
    const ended = pages === 0 ? await endRecordedWalk(pool, sync, read, lease) : null;
    const save = () =>
      rowIds.cacheAfterCommit(() => inTransaction(pool, (session) => savePage(session, sync, read, lease)));
    const { resume, gaps } = ended ?? (await ledgerSlots.run(save));
    if (resume === null) {
      await bookPending(pool, provider, sync, gaps, now);
      return;
    }
    walk = resume;
  }
  await releaseSync(pool, sync, walk);
}

/** The ids that a page needs; no statement for one without rows. */
const lookUpPage = async (
  pool: Pool,
  address: string,
  page: ProviderPage<ProviderActivity>,
  known: KnownRowIds,
): Promise<KnownRowIds> =>
  page.rows.length === 0
    ? known
    : lookUpIds(sessionOf(pool), activityReferences(page), [activityTrader(address, page)], known);

/**
 * Books what the walk left pending. Until this succeeds the trader keeps its gaps, and every later sync tries
 * again.
 */
async function bookPending(
  pool: Pool,
  provider: Provider,
  sync: TraderSync,
  gaps: readonly string[],
  now: () => Date,
): Promise<void> {
  const traderId = sync.traderId;
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
function startWalk(sync: TraderSync): Resume {
  const since_ms = sync.state.isComplete && sync.coveredMs !== null ? sync.coveredMs - OVERLAP_MS : null;
  return { since_ms, cursor: null, carry: null };
}

/** Makes the trader due at once, so that the next message continues. */
async function releaseSync(pool: Pool, sync: TraderSync, resume: Resume | null): Promise<void> {
  await sessionOf(pool)
    .update(traderSyncs)
    .set({ resume, dueAt: sql`now()` })
    .where(eq(traderSyncs.traderId, sync.traderId));
}

/**
 * Stores the error for an operator until a page succeeds. Meanwhile neither the backfill nor other traders
 * wait for this one.
 */
async function recordFailure(pool: Pool, sync: TraderSync, message: string): Promise<void> {
  await sessionOf(pool)
    .update(traderSyncs)
    .set({ lastError: message.slice(0, 500), failedAt: sql`now()` })
    .where(eq(traderSyncs.traderId, sync.traderId));
}
