import type { Pool } from "@neondatabase/serverless";
import { z } from "zod";
import { inTransaction, type Session } from "../db/client.ts";
import { decideNextSync } from "../domain/tracking.ts";
import { describeError } from "../lib/console-log.ts";
import { ProviderRefused, type Provider } from "../ports/provider.ts";
import { applyActivityPage, conditionsToHydrate } from "./apply-activity-page.ts";
import { StoredCarry } from "./checkpoints.ts";
import { CONVERSION_GAP } from "./conversions/pending-conversions.ts";
import { settleConversions } from "./conversions/settle-conversions.ts";
import { hydrateMarkets } from "./hydrate-markets.ts";
import type { KnownIds } from "./known-ids.ts";
import { publish } from "./outbox.ts";
import { settleSplits, SPLIT_GAPS } from "./settle-splits.ts";
import { settleTier } from "./settle-tier.ts";

/** Pages one message may read; a longer history goes on with the next message, from the cursor kept in the database. */
const PAGES_PER_SYNC = 20;
/** An incremental sync reads again this far before what it has, because rows land late. */
const OVERLAP_MS = 600_000;

/** An unfinished walk. Its lower bound goes along: the provider's cursor holds only a place, and every page must ask for the same. */
const Resume = z.object({ since_ms: z.number().nullable(), cursor: z.string().nullable(), carry: StoredCarry });

type Resume = z.output<typeof Resume>;

interface SyncRow {
  trader_id: string;
  resume: unknown;
  covered_ms: number | null;
  complete: boolean;
}

/**
 * Reads a followed wallet's activity, oldest first, from where the last sync stopped, one transaction a page. At its end the conversions, splits
 * and merges are booked that are not yet.
 *
 * @returns false when the wallet is not followed
 */
export async function syncWallet(pool: Pool, provider: Provider, address: string, known: KnownIds, now: () => Date): Promise<boolean> {
  const sync = await inTransaction(pool, (session) => findSync(session, address));
  if (sync === null) return false;
  let walk = sync.resume === null ? startWalk(sync) : Resume.parse(sync.resume);
  for (let pages = 0; pages < PAGES_PER_SYNC; pages++) {
    const { since_ms, cursor, carry } = walk;
    const page = await provider
      .listActivity(address, since_ms === null ? null : new Date(since_ms), cursor)
      .catch(async (error: unknown) => {
        await recordFailure(pool, sync, describeError(error));
        // The provider no longer takes the cursor: the next message starts the walk over.
        if (error instanceof ProviderRefused && cursor !== null) await yieldSync(pool, sync, null);
        throw error;
      });
    // Splits and merges of a market whose outcomes we do not know could not be booked.
    await hydrateMarkets(pool, provider, conditionsToHydrate(page), now);
    const appliedAt = now();
    const times = page.rows.map((row) => (row.kind === "trade" ? row.trade.tradedAt : row.activity.happenedAt).getTime());
    // A row from the future must not keep later syncs from reading what comes before it.
    const newestMs = Math.max(...times.map((time) => Math.min(time, appliedAt.getTime())));
    const { resume, gaps } = await known.keepAfter(() =>
      inTransaction(pool, async (session) => {
        const result = await applyActivityPage(session, address, page, carry, known);
        const next = page.nextCursor === null ? null : { since_ms, cursor: page.nextCursor, carry: result.carry };
        const saved = await saveSync(session, sync, { address, resume: next, newestMs, gaps: result.gaps, now: appliedAt });
        return { learned: result.learned, resume: next, gaps: saved.gaps };
      }),
    );
    if (resume === null) {
      await settle(pool, provider, sync, gaps, now);
      return true;
    }
    walk = resume;
  }
  await yieldSync(pool, sync, walk);
  return true;
}

/** Whether a followed wallet is due for reading: a message may arrive when another has long done its work. */
export async function isSyncDue(pool: Pool, address: string): Promise<boolean> {
  const { rows } = await pool.query(
    `select from wallet_syncs s join traders t on t.id = s.trader_id where t.address = $1 and s.due_at <= now()`,
    [address],
  );
  return rows.length > 0;
}

/** Until it has succeeded the wallet keeps its gaps, and every later sync tries again. */
async function settle(pool: Pool, provider: Provider, sync: SyncRow, gaps: readonly string[], now: () => Date): Promise<void> {
  const traderId = Number(sync.trader_id);
  try {
    if (gaps.some((gap) => SPLIT_GAPS.includes(gap))) await settleSplits(pool, provider, traderId, now);
    if (gaps.includes(CONVERSION_GAP)) await settleConversions(pool, provider, traderId, now);
  } catch (error) {
    await recordFailure(pool, sync, describeError(error));
    throw error;
  }
}

/** The first walk starts at the beginning; once one has reached the end, later ones only re-read an overlap. */
function startWalk(sync: SyncRow): Resume {
  const since_ms = sync.complete && sync.covered_ms !== null ? sync.covered_ms - OVERLAP_MS : null;
  return { since_ms, cursor: null, carry: null };
}

/** Leaves the wallet due at once, for the next message to go on. */
async function yieldSync(pool: Pool, sync: SyncRow, resume: Resume | null): Promise<void> {
  await pool.query(`update wallet_syncs set resume = $2, due_at = now() where trader_id = $1`, [
    sync.trader_id,
    resume === null ? null : JSON.stringify(resume),
  ]);
}

/** Kept for an operator until a page succeeds; meanwhile neither the first fill nor other wallets wait for this one. */
async function recordFailure(pool: Pool, sync: SyncRow, message: string): Promise<void> {
  await pool.query(`update wallet_syncs set last_error = $2, failed_at = now() where trader_id = $1`, [
    sync.trader_id,
    message.slice(0, 500),
  ]);
}

async function findSync(session: Session, address: string): Promise<SyncRow | null> {
  const { rows } = await session.query<SyncRow>(
    `select s.trader_id, s.resume, (extract(epoch from s.covered_to) * 1000)::float8 as covered_ms,
       s.complete_at is not null as complete
     from traders t join wallet_syncs s on s.trader_id = t.id where t.address = $1`,
    [address],
  );
  return rows[0] ?? null;
}

async function saveSync(
  session: Session,
  sync: SyncRow,
  page: { address: string; resume: Resume | null; newestMs: number; gaps: readonly string[]; now: Date },
): Promise<{ gaps: readonly string[] }> {
  const ended = page.resume === null;
  const dueAt = ended ? decideNextSync(await settleTier(session, sync.trader_id, page.now), page.now) : null;
  const { rows } = await session.query<{ gaps: string[]; is_first: boolean }>(
    `update wallet_syncs s set
       resume = $2,
       covered_to = greatest(s.covered_to, to_timestamp($3::float8 / 1000)),
       gaps = array(select distinct unnest(s.gaps || $4::text[]) order by 1),
       last_error = null,
       failed_at = null,
       complete_at = case when $5 then $6::timestamptz else s.complete_at end,
       due_at = case when $5 then $7::timestamptz else s.due_at end
     from (select trader_id, complete_at from wallet_syncs where trader_id = $1 for update) before
     where s.trader_id = before.trader_id returning s.gaps, $5 and before.complete_at is null as is_first`,
    [
      sync.trader_id,
      ended ? null : JSON.stringify(page.resume),
      Number.isFinite(page.newestMs) ? page.newestMs : null,
      page.gaps,
      ended,
      page.now.toISOString(),
      dueAt?.toISOString() ?? null,
    ],
  );
  if (rows[0]?.is_first) {
    await publish(session, [{ type: "trader_synced", payload: { trader_id: Number(sync.trader_id), wallet: page.address } }]);
  }
  return { gaps: rows[0]?.gaps ?? [] };
}
