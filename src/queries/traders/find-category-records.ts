import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { s, t, totals, tp } from "../../db/aliases.ts";
import { isHistoryKnown, selectHistoryFacts } from "../../db/fragments/completeness.ts";
import { StoredRecords } from "../../domain/traders/stored-profile.ts";
import { HISTORY_FACTS } from "../../domain/traders/trader-completeness.ts";
import { integer, isoText, selectRows } from "../../db/sql.ts";
import { selectTrader } from "./select-trader.ts";
import type { TraderRef } from "./traders.ts";

const Row = z.object({
  id: integer,
  address: z.string(),
  ...HISTORY_FACTS,
  /** When the records were computed; null without a profile. */
  computed_at: z.string().nullable(),
  records: StoredRecords.nullable(),
});

export type TraderRecords = z.output<typeof Row>;

/**
 * A trader's records by category from its latest profile, however old: the records state what had settled by
 * then. Null when we have not seen the trader.
 */
export async function findCategoryRecords(db: Database, ref: TraderRef): Promise<TraderRecords | null> {
  const rows = await selectRows(
    db,
    sql`select ${t.id}, ${t.address}, ${selectHistoryFacts(totals, s)}, ${isoText(tp.computedAt)} as computed_at,
        ${tp.profile} -> 'category_records' as records
      from (${selectTrader(ref)}) t
      left join ${s} on ${s.traderId} = ${t.id}
      left join ${totals} on ${totals.traderId} = ${t.id}
      left join ${tp} on ${tp.traderId} = ${s.traderId} and ${isHistoryKnown(s)}`,
    Row,
  );
  return rows[0] ?? null;
}
