import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { StoredRecords } from "../domain/stored-profile.ts";
import { count, iso, selectRows } from "./rows.ts";
import { selectTrader } from "./trader-ref.ts";
import type { TraderRef } from "./traders.ts";

const Row = z.object({
  id: count,
  address: z.string(),
  /** When the records were computed; null without a profile of the wallet's whole history. */
  computed_at: z.string().nullable(),
  records: StoredRecords.nullable(),
});

export type WalletRecords = z.output<typeof Row>;

/**
 * A wallet's records by category, as its last profile has them, or null when we have not seen it. However old the profile is: it says what
 * had settled by then.
 */
export async function findCategoryRecords(db: Database, ref: TraderRef): Promise<WalletRecords | null> {
  const rows = await selectRows(
    db,
    sql`select t.id, t.address, ${iso(sql`p.computed_at`)} as computed_at, p.profile -> 'category_records' as records
      from (${selectTrader(ref)}) t
      left join wallet_syncs s on s.trader_id = t.id and s.complete_at is not null and s.gaps = '{}'
      left join trader_profiles p on p.trader_id = s.trader_id`,
    Row,
  );
  return rows[0] ?? null;
}
