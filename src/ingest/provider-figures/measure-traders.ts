import type { Pool } from "@neondatabase/serverless";
import { and, eq, isNotNull, lte, sql } from "drizzle-orm";
import { inTransaction, sessionOf, type Session } from "../../db/client.ts";
import { providerFigures, traders, traderSyncs } from "../../db/schema.ts";
import { timestamp } from "../../db/sql.ts";
import { describeError } from "../../platform/log/console-log.ts";
import {
  ProviderRefused,
  ProviderUnavailable,
  type ProviderPage,
  type Provider,
  type ProviderAllTimeStats,
} from "../../platform/provider.ts";
import { measureCorrection, type PnlCorrection } from "../../scoring/pnl-correction.ts";
import { quarantineRecords } from "../feeds/quarantine-records.ts";
import { compareMarkets } from "./compare-markets.ts";
import { loadOwnOutcomes } from "./load-own-outcomes.ts";
import { walkPositions, type PositionWalk } from "./walk-positions.ts";

/** Minimum interval between two measurements of a trader. */
const EVERY_SECONDS = 6 * 3600;
/**
 * Minimum delay before a retry. After a failure the trader is retried when it has been failing for twice as
 * long, but not sooner than this and after EVERY_SECONDS at the latest.
 */
const FIRST_RETRY_SECONDS = 600;
/** Retry delay of a trader that was never measured successfully. */
const UNKNOWN_RETRY_SECONDS = 3600;

/**
 * Reads the provider's figures of the due traders among these and compares them with ours. A trader that is
 * not due is left unchanged.
 */
export async function measureTraders(
  pool: Pool,
  provider: Provider,
  traderIds: readonly number[],
  now: () => Date,
): Promise<void> {
  for (const traderId of traderIds) {
    const address = await findDue(pool, traderId, now());
    if (address === null) continue;
    try {
      await measureTrader(pool, provider, { traderId, address }, now);
    } catch (error) {
      if (!(error instanceof ProviderUnavailable) && !(error instanceof ProviderRefused)) throw error;
      await recordFailure(pool, traderId, describeError(error), now());
      // The provider is unavailable for all traders, so stop here; the queue redelivers the message later.
      if (error instanceof ProviderUnavailable) throw error;
    }
  }
}

interface DueTrader {
  readonly traderId: number;
  readonly address: string;
}

async function measureTrader(
  pool: Pool,
  provider: Provider,
  { traderId, address }: DueTrader,
  now: () => Date,
): Promise<void> {
  // Figures are as of the time of the first response they are based on.
  const readAt = now();
  const standing = await provider.findAllTimeStats(address);
  const walk = await walkPositions(provider, address);
  await inTransaction(pool, async (session) => {
    await quarantineRecords(session, "provider_figures", [...standing.quarantined, ...walk.quarantined]);
    if (standing.quarantined.length === 0) await writeStanding(session, traderId, standing, readAt);
    await writeMeasure(session, traderId, await measure(session, traderId, walk), readAt, now());
  });
}

/** A comparison, or the reason why there is none. */
type Measurement = { readonly correction: PnlCorrection } | { readonly reason: string };

async function measure(session: Session, traderId: number, walk: PositionWalk): Promise<Measurement> {
  if (!walk.isComplete) return { reason: walk.reason };
  if (!(await isSyncComplete(session, traderId)))
    return { reason: "the wallet's history has not been read to its end" };
  return { correction: measureCorrection(compareMarkets(await loadOwnOutcomes(session, traderId), walk.rows)) };
}

async function isSyncComplete(session: Session, traderId: number): Promise<boolean> {
  const rows = await session
    .select({ traderId: traderSyncs.traderId })
    .from(traderSyncs)
    .where(and(eq(traderSyncs.traderId, traderId), isNotNull(traderSyncs.completeAt)));
  return rows.length > 0;
}

async function findDue(pool: Pool, traderId: number, now: Date): Promise<string | null> {
  const rows = await sessionOf(pool)
    .select({ address: traders.address })
    .from(providerFigures)
    .innerJoin(traders, eq(traders.id, providerFigures.traderId))
    .where(and(eq(providerFigures.traderId, traderId), lte(providerFigures.dueAt, now)));
  return rows[0]?.address ?? null;
}

/** Writes the leaderboard figures. Null, not zero, if the trader is not ranked. */
async function writeStanding(
  session: Session,
  traderId: number,
  { rows: [standing] }: ProviderPage<ProviderAllTimeStats>,
  readAt: Date,
): Promise<void> {
  await session
    .update(providerFigures)
    .set({
      allTimePnlUsd: standing?.pnlUsd ?? null,
      allTimeVolumeShares: standing?.volumeShares ?? null,
      boardAsOf: readAt,
    })
    .where(eq(providerFigures.traderId, traderId));
}

async function writeMeasure(
  session: Session,
  traderId: number,
  measurement: Measurement,
  readAt: Date,
  now: Date,
): Promise<void> {
  const correction = "correction" in measurement ? measurement.correction : null;
  await session
    .update(providerFigures)
    .set({
      correctionMicro: correction?.correctionMicro ?? null,
      realizedMicro: correction?.realizedMicro ?? null,
      netMicro: correction?.netMicro ?? null,
      marketsMeasured: correction?.marketsMeasured ?? null,
      marketsExcluded: correction?.marketsExcluded ?? null,
      measuredAt: correction === null ? null : readAt,
      lastError: "reason" in measurement ? measurement.reason : null,
      dueAt: new Date(now.getTime() + EVERY_SECONDS * 1000),
      enqueuedAt: null,
    })
    .where(eq(providerFigures.traderId, traderId));
}

/** Keeps the previous measurement with its own time. */
async function recordFailure(pool: Pool, traderId: number, message: string, now: Date): Promise<void> {
  const at = timestamp(now);
  const every = sql`make_interval(secs => ${EVERY_SECONDS})`;
  await sessionOf(pool)
    .update(providerFigures)
    .set({
      lastError: message.slice(0, 500),
      enqueuedAt: null,
      dueAt: sql`${at} + case
        when ${providerFigures.boardAsOf} is null then make_interval(secs => ${UNKNOWN_RETRY_SECONDS})
        else greatest(make_interval(secs => ${FIRST_RETRY_SECONDS}),
          least(${every}, ${at} - ${providerFigures.boardAsOf} - ${every})) end`,
    })
    .where(eq(providerFigures.traderId, traderId));
}
