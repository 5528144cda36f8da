import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { e, l, o } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { array, selectRows } from "../../db/sql.ts";
import type { SliceFill } from "../../scoring/signals/recent-slices.ts";
import type { DueTrade } from "./due-trades.ts";
import { sideOf } from "./trade-side.ts";

const FillRow = z.object({
  tx: z.string(),
  traded_ms: z.number(),
  side: z.enum(["BUY", "SELL"]),
  outcome_index: z.number().nullable(),
  usd_micro: z.string(),
  shares_micro: z.string(),
});

const TradeFills = z.object({ id: z.string(), fills: z.array(FillRow).nullable() });

/** The fills of the 24 hours up to the trade `l` as JSON; null beyond the bound. */
const fillsOfDay = (maxEntries: number): SQL => sql`
  select case when count(*) <= ${maxEntries}::int then
    coalesce(jsonb_agg(jsonb_build_object('tx', encode(f.tx_hash, 'hex'), 'traded_ms',
      extract(epoch from f.traded_at) * 1000,
      'side', upper(f.kind), 'outcome_index', f.outcome_index, 'usd_micro', f.usd_micro::text,
      'shares_micro', f.shares_micro::text)), '[]') end
  from (
    select ${e.txHash}, ${e.tradedAt}, ${e.kind}, ${e.usdMicro}, ${e.sharesMicro},
      ${sideOf(o, e.marketId)} as outcome_index
    from ${o} join ${e} on ${e.outcomeId} = ${o.id} and ${e.traderId} = ${l.traderId}
    where ${o.marketId} = ${l.marketId} and ${e.kind} in ('buy', 'sell')
      and ${e.tradedAt} > ${l.tradedAt} - interval '24 hours' and ${e.tradedAt} <= ${l.tradedAt}
    limit ${maxEntries}::int + 1
  ) f`;

/**
 * Reads the fills of the trader in the market in the 24 hours up to each trade, its second included.
 *
 * @param maxEntries of the trader in the market in the 24 hours
 * @returns by id of the trade; no value where the trader's record is incomplete or beyond the bound
 */
export async function readDayFills(
  session: Session,
  trades: readonly DueTrade[],
  maxEntries: number,
): Promise<Map<string, SliceFill[]>> {
  const ids = trades.filter((trade) => trade.is_covered).map((trade) => trade.id);
  if (ids.length === 0) return new Map();
  const rows = await selectRows(
    session,
    sql`select ${l.id}, (${fillsOfDay(maxEntries)}) as fills from ${l} where ${l.id} = any(${array(ids, "bigint")})`,
    TradeFills,
  );
  return new Map(rows.flatMap(({ id, fills }) => (fills === null ? [] : [[id, fills.map(toSliceFill)]])));
}

const toSliceFill = (fill: z.output<typeof FillRow>): SliceFill => ({
  side: fill.side,
  outcomeIndex: fill.outcome_index,
  txHash: fill.tx,
  tradedAtMs: fill.traded_ms,
  usdMicro: BigInt(fill.usd_micro),
  sharesMicro: BigInt(fill.shares_micro),
});
