import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { big, count, iso, selectRows } from "./rows.ts";

const TraderRow = z.object({
  id: count,
  address: z.string(),
  username: z.string().nullable(),
  grade: z.enum(["S", "A", "B", "C", "D", "F"]).nullable(),
  tier: z.enum(["hot", "warm", "cold"]),
  /** When the wallet's activity was last read to its end; null while it never was. */
  synced_at: z.string().nullable(),
  followed: z.boolean(),
  gaps: z.array(z.string()).nullable(),
  realized_micro: big.nullable(),
  settled_micro: big.nullable(),
  fees_micro: big.nullable(),
  rebates_micro: big.nullable(),
  volume_micro: big.nullable(),
  last_at: z.string().nullable(),
  markets_traded: count,
  markets_won: count,
  markets_decided: count,
});

export type TraderRow = z.output<typeof TraderRow>;

export type TraderRef = { readonly id: number } | { readonly address: string } | { readonly username: string };

/** One wallet with the sums over its positions, or null. A username shared by several is that of the first seen. */
export async function findTrader(db: Database, ref: TraderRef): Promise<TraderRow | null> {
  const rows = await selectRows(
    db,
    sql`select t.id, t.address, t.username, t.grade, t.tier, ${iso(sql`s.complete_at`)} as synced_at, s.trader_id is not null as followed,
        s.gaps, tt.realized_micro, tt.settled_micro, tt.fees_micro, tt.rebates_micro, tt.volume_micro, ${iso(sql`tt.last_at`)} as last_at,
        m.markets_traded, m.markets_won, m.markets_decided
      from traders t
      left join wallet_syncs s on s.trader_id = t.id
      left join trader_totals tt on tt.trader_id = t.id
      cross join lateral (
        select count(*) as markets_traded,
          count(*) filter (where resolved and pnl_micro > 0) as markets_won,
          count(*) filter (where resolved and pnl_micro <> 0) as markets_decided
        from (
          select p.market_id, bool_and(p.settled_micro is not null) as resolved,
            sum(p.realized_micro + coalesce(p.settled_micro, 0) - p.fees_micro) as pnl_micro
          from positions p where p.trader_id = t.id group by p.market_id
        ) per_market
      ) m
      where ${selector(ref)} order by t.id limit 1`,
    TraderRow,
  );
  return rows[0] ?? null;
}

function selector(ref: TraderRef): SQL {
  if ("id" in ref) return sql`t.id = ${ref.id}`;
  return "address" in ref ? sql`t.address = ${ref.address}` : sql`lower(t.username) = ${ref.username}`;
}
