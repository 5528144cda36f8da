import type { Pool } from "@neondatabase/serverless";
import { inTransaction, type Session } from "../../db/client.ts";
import { describeError } from "../../lib/console-log.ts";
import { ProviderRefused, ProviderUnavailable, type Page, type Provider, type ProviderStanding } from "../../ports/provider.ts";
import { measureCorrection, type PnlCorrection } from "../../scoring/pnl-correction.ts";
import { setAside } from "../set-aside.ts";
import { compareMarkets } from "./compare-markets.ts";
import { loadOwnOutcomes } from "./load-own-outcomes.ts";
import { walkPositions, type PositionWalk } from "./walk-positions.ts";

/** At most so often is a wallet measured. */
const EVERY_SECONDS = 6 * 3600;
/** After a failure it is tried again when it has been failing for twice as long as now, but not sooner than this; and always within a turn. */
const FIRST_RETRY_SECONDS = 600;
/** One that never succeeded is tried again after this long. */
const UNKNOWN_RETRY_SECONDS = 3600;

/** Reads the provider's figures of those of these wallets that are due, and compares them with ours. One that is done is left alone. */
export async function measureWallets(pool: Pool, provider: Provider, traderIds: readonly number[], now: () => Date): Promise<void> {
  for (const traderId of traderIds) {
    const address = await findDue(pool, traderId, now());
    if (address === null) continue;
    try {
      await measureWallet(pool, provider, { traderId, address }, now);
    } catch (error) {
      if (!(error instanceof ProviderUnavailable) && !(error instanceof ProviderRefused)) throw error;
      await recordFailure(pool, traderId, describeError(error), now());
      // What answers nobody is not asked for the others: the queue brings the message back when it is time.
      if (error instanceof ProviderUnavailable) throw error;
    }
  }
}

interface Wallet {
  readonly traderId: number;
  readonly address: string;
}

async function measureWallet(pool: Pool, provider: Provider, { traderId, address }: Wallet, now: () => Date): Promise<void> {
  // Figures are as old as the first answer they rest on.
  const readAt = now();
  const standing = await provider.findStanding(address);
  const walk = await walkPositions(provider, address);
  await inTransaction(pool, async (session) => {
    await setAside(session, "provider_figures", [...standing.misfits, ...walk.misfits]);
    if (standing.misfits.length === 0) await writeStanding(session, traderId, standing, readAt);
    await writeMeasure(session, traderId, await measure(session, traderId, walk), readAt, now());
  });
}

/** A comparison, or why there is none. */
type Measure = { readonly correction: PnlCorrection } | { readonly reason: string };

async function measure(session: Session, traderId: number, walk: PositionWalk): Promise<Measure> {
  if (!walk.whole) return { reason: walk.reason };
  const { rows } = await session.query(`select from wallet_syncs where trader_id = $1 and complete_at is not null`, [traderId]);
  if (rows.length === 0) return { reason: "the wallet's history has not been read to its end" };
  return { correction: measureCorrection(compareMarkets(await loadOwnOutcomes(session, traderId), walk.rows)) };
}

async function findDue(pool: Pool, traderId: number, now: Date): Promise<string | null> {
  const { rows } = await pool.query<{ address: string }>(
    `select t.address from provider_figures f join traders t on t.id = f.trader_id where f.trader_id = $1 and f.due_at <= $2::timestamptz`,
    [traderId, now.toISOString()],
  );
  return rows[0]?.address ?? null;
}

/** Null where the wallet has no place on the board: it is not zero. */
async function writeStanding(
  session: Session,
  traderId: number,
  { rows: [standing] }: Page<ProviderStanding>,
  readAt: Date,
): Promise<void> {
  await session.query(
    `update provider_figures set all_time_pnl_usd = $2, all_time_volume_shares = $3, board_as_of = $4 where trader_id = $1`,
    [traderId, standing?.pnlUsd ?? null, standing?.volumeShares ?? null, readAt.toISOString()],
  );
}

async function writeMeasure(session: Session, traderId: number, measured: Measure, readAt: Date, now: Date): Promise<void> {
  const correction = "correction" in measured ? measured.correction : null;
  await session.query(
    `update provider_figures set correction_micro = $2, realized_micro = $3, net_micro = $4, markets_measured = $5, markets_excluded = $6,
       measured_at = $7, last_error = $8, due_at = $9::timestamptz + make_interval(secs => $10), enqueued_at = null
     where trader_id = $1`,
    [
      traderId,
      text(correction?.correctionMicro),
      text(correction?.realizedMicro),
      text(correction?.netMicro),
      correction?.marketsMeasured ?? null,
      correction?.marketsExcluded ?? null,
      correction === null ? null : readAt.toISOString(),
      "reason" in measured ? measured.reason : null,
      now.toISOString(),
      EVERY_SECONDS,
    ],
  );
}

const text = (micro: bigint | null | undefined): string | null => (micro === null || micro === undefined ? null : String(micro));

/** What was measured before stands, with its own time. */
async function recordFailure(pool: Pool, traderId: number, message: string, now: Date): Promise<void> {
  await pool.query(
    `update provider_figures set last_error = $2, enqueued_at = null, due_at = $3::timestamptz + case
       when board_as_of is null then make_interval(secs => $6)
       else greatest(make_interval(secs => $4), least(make_interval(secs => $5), $3::timestamptz - board_as_of - make_interval(secs => $5))) end
     where trader_id = $1`,
    [traderId, message.slice(0, 500), now.toISOString(), FIRST_RETRY_SECONDS, EVERY_SECONDS, UNKNOWN_RETRY_SECONDS],
  );
}
