import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { m } from "../../src/db/aliases.ts";
import type { Session } from "../../src/db/client.ts";
import { markets } from "../../src/db/schema.ts";
import { columnName, run, selectRows } from "../../src/db/sql.ts";
import { lockMarkets } from "../../src/ingest/ledger/row-locks.ts";
import type { StoredDifference } from "./figures.ts";

/**
 * Markets with their stored and computed settlement day. Where the provider gave no time, the stored day is
 * accepted: it is the day on which the payouts were read.
 */
const SETTLEMENT_DAYS: SQL = sql`
  select ${markets.id}, ${markets.conditionId}, ${markets.settledOn} as stored,
    case
      when ${markets.payoutsPpm} is null then null
      else coalesce((${markets.resolvedAt} at time zone 'UTC')::date, ${markets.settledOn},
        (${markets.resolutionCheckedAt} at time zone 'UTC')::date, (now() at time zone 'UTC')::date) end as computed
  from ${markets}`;

const SettlementDay = z.object({
  condition_id: z.string(),
  stored: z.string().nullable(),
  computed: z.string().nullable(),
});

export async function compareSettlementDays(session: Session): Promise<StoredDifference[]> {
  const rows = await selectRows(
    session,
    sql`select condition_id, stored::text, computed::text from (${SETTLEMENT_DAYS}) days
      where stored is distinct from computed order by id`,
    SettlementDay,
  );
  return rows.map(({ condition_id, stored, computed }) => ({
    table: "markets" as const,
    key: `condition_id ${condition_id}`,
    field: "settled_on",
    stored,
    computed,
  }));
}

/** In the caller's transaction, which holds the ledger lock. */
export async function rewriteSettlementDays(session: Session): Promise<void> {
  await run(
    session,
    lockMarkets(sql`${m.id} in (select id from (${SETTLEMENT_DAYS}) days where stored is distinct from computed)`),
  );
  await run(
    session,
    sql`update ${m} set ${columnName(m.settledOn)} = w.computed from (${SETTLEMENT_DAYS}) w
     where w.id = ${m.id} and w.stored is distinct from w.computed`,
  );
}
