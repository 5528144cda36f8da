import type { Session } from "../db/client.ts";
import type { Grade } from "../domain/grades.ts";
import { decideTier, type Tier } from "../domain/tracking.ts";

interface ReasonsRow {
  grade: Grade | null;
  is_on_board: boolean;
  large_trade_ms: number | null;
  active_ms: number | null;
}

/** Moves a wallet that has just been read to the end to the tier it is due, up or down. */
export async function settleTier(session: Session, traderId: string, now: Date): Promise<Tier> {
  const { rows } = await session.query<ReasonsRow>(
    `select t.grade, exists (select from trending_entries e where e.trader_id = t.id) as is_on_board,
       (select (extract(epoch from max(l.traded_at)) * 1000)::float8 from large_trades l where l.trader_id = t.id) as large_trade_ms,
       (extract(epoch from s.last_at) * 1000)::float8 as active_ms
     from traders t left join trader_totals s on s.trader_id = t.id
     where t.id = $1`,
    [traderId],
  );
  const row = rows[0];
  if (row === undefined) throw new Error(`no row for wallet ${traderId}`);
  const { grade, is_on_board: isOnBoard, large_trade_ms: largeMs, active_ms: activeMs } = row;
  const tier = decideTier({ grade, isOnBoard, lastLargeTradeAt: toDate(largeMs), lastActiveAt: toDate(activeMs) }, now);
  await session.query(`update traders set tier = $2 where id = $1 and tier <> $2`, [traderId, tier]);
  return tier;
}

const toDate = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
