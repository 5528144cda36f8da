import { sql } from "drizzle-orm";
import { z } from "zod";
import { e, s, t, td, totals } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { selectHistoryFacts } from "../../db/fragments/completeness.ts";
import { bigintText, integer, isoText, selectRow } from "../../db/sql.ts";
import { HISTORY_FACTS } from "../../domain/traders/trader-completeness.ts";
import { selectTrader } from "../traders/select-trader.ts";
import type { TraderRef } from "../traders/traders.ts";

const Row = z.object({
  id: integer,
  address: z.string(),
  ...HISTORY_FACTS,
  first_day: z.string().nullable(),
  last_day: z.string().nullable(),
  days: integer,
  trades: integer,
  markets: integer,
  volume_micro: bigintText,
  bought_micro: bigintText,
  /** ISO; null without a trade. */
  last_trade_at: z.string().nullable(),
  last_entry_at: z.string().nullable(),
});

export type TraderExportSummary = z.output<typeof Row>;

/** What an export of the trader would have. Reads all its entries. @returns null for an unknown trader */
export const findTraderExportSummary = (db: Database, ref: TraderRef): Promise<TraderExportSummary | null> =>
  selectRow(
    db,
    sql`select ${t.id}, ${t.address}, ${selectHistoryFacts(totals, s)}, booked.*, counted.*
      from (${selectTrader(ref)}) t left join ${s} on ${s.traderId} = ${t.id}
        left join ${totals} on ${totals.traderId} = ${t.id}
        cross join lateral (
          select min(${td.day})::text as first_day, max(${td.day})::text as last_day, count(*) as days
          from ${td} where ${td.traderId} = ${t.id}
        ) booked
        cross join lateral (
          select count(*) filter (where fills.is_trade) as trades,
            count(distinct fills.market_id) filter (where fills.is_trade) as markets,
            coalesce(sum(fills.usd_micro) filter (where fills.is_trade), 0)::text as volume_micro,
            coalesce(sum(fills.usd_micro) filter (where fills.kind = 'buy'), 0)::text as bought_micro,
            ${isoText(sql`max(fills.traded_at) filter (where fills.is_trade)`)} as last_trade_at,
            ${isoText(sql`max(fills.traded_at)`)} as last_entry_at
          from (
            select ${e.marketId}, ${e.usdMicro}, ${e.kind}, ${e.tradedAt}, ${e.kind} in ('buy', 'sell') as is_trade
            from ${e} where ${e.traderId} = ${t.id}
          ) fills
        ) counted`,
    Row,
  );

/** The row id and address of a trader; null for an unknown one. */
export const findExportedTrader = (db: Database, ref: TraderRef): Promise<{ id: number; address: string } | null> =>
  selectRow(db, selectTrader(ref), z.object({ id: integer, address: z.string() }));
