import { sql } from "drizzle-orm";
import { z } from "zod";
import { m, o, p } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { skillDue, skillMarkets } from "../../db/schema.ts";
import { array, epochMs, integer, selectRows } from "../../db/sql.ts";
import type { BoughtOutcome } from "../../scoring/skill/category-skill.ts";

/** The outcomes that one trader bought in markets with a category, by category. */
export type BoughtByCategory = ReadonlyMap<string, readonly BoughtOutcome[]>;

const BoughtRow = z.object({
  trader_id: integer,
  category: z.string(),
  cluster: integer,
  market_id: integer,
  bought_usd_micro: integer,
  bought_shares_micro: integer,
  payout: z.number().nullable(),
  usd_micro: integer.nullable(),
  edge_micro: integer.nullable(),
  first_ms: z.number(),
  last_ms: z.number(),
});

/**
 * Loads the purchases of traders with their scored bets. A market whose bets are due to be scored again, or
 * were counted by an earlier version of the method, counts as not scored.
 */
export async function loadBoughtOutcomes(
  session: Session,
  traderIds: readonly number[],
): Promise<Map<number, BoughtByCategory>> {
  const rows = await selectRows(
    session,
    sql`select ${p.traderId}, ${m.category}, coalesce(${m.eventId}, -${m.id}) as cluster, ${p.marketId},
       ${p.boughtUsdMicro}, ${p.boughtSharesMicro},
       (${m.payoutsPpm}[${o.outcomeIndex} + 1] / 1000000.0)::float8 as payout,
       ${skillMarkets.usdMicro}, ${skillMarkets.edgeMicro},
       ${epochMs(p.firstAt)} as first_ms, ${epochMs(p.lastAt)} as last_ms
     from ${p}
     join ${m} on ${m.id} = ${p.marketId} and ${m.category} is not null
     join ${o} on ${o.id} = ${p.outcomeId}
     left join ${skillMarkets} on ${skillMarkets.marketId} = ${p.marketId} and ${skillMarkets.traderId} = ${p.traderId}
       and ${skillMarkets.isByRole} and not exists (select from ${skillDue} where ${skillDue.marketId} = ${skillMarkets.marketId})
     where ${p.traderId} = any(${array(traderIds, "bigint")}) and ${p.boughtSharesMicro} > 0
     order by ${p.traderId}, ${m.category}, ${p.outcomeId}`,
    BoughtRow,
  );
  const byTrader = Map.groupBy(rows, (row) => row.trader_id);
  return new Map(
    [...byTrader].map(([traderId, traderRows]) => {
      const categories = Map.groupBy(traderRows, (row) => row.category);
      return [traderId, new Map([...categories].map(([category, group]) => [category, group.map(toOutcome)]))];
    }),
  );
}

const toOutcome = (row: z.output<typeof BoughtRow>): BoughtOutcome => ({
  cluster: row.cluster,
  marketId: row.market_id,
  boughtUsdMicro: row.bought_usd_micro,
  boughtSharesMicro: row.bought_shares_micro,
  payout: row.payout,
  bets:
    row.usd_micro === null || row.edge_micro === null ? null : { usdMicro: row.usd_micro, edgeMicro: row.edge_micro },
  firstAtMs: row.first_ms,
  lastAtMs: row.last_ms,
});
