import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { isHistoryKnown, leftOut } from "../db/completeness.ts";
import { StoredRecords } from "../domain/stored-profile.ts";
import { LeftOut } from "../domain/wallet-completeness.ts";
import { count, iso, selectRows } from "./rows.ts";
import { selectTrader } from "./trader-ref.ts";
import type { TraderRef } from "./traders.ts";

const Row = z.object({
  id: count,
  address: z.string(),
  synced_at: z.string().nullable(),
  followed: z.boolean(),
  gaps: z.array(z.string()).nullable(),
  left_out: LeftOut,
  /** When the records were computed; null without a profile of the wallet's history. */
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
    sql`select t.id, t.address, ${iso(sql`s.complete_at`)} as synced_at, s.trader_id is not null as followed, s.gaps,
        ${sql.raw(leftOut("tt"))} as left_out, ${iso(sql`p.computed_at`)} as computed_at, p.profile -> 'category_records' as records
      from (${selectTrader(ref)}) t
      left join wallet_syncs s on s.trader_id = t.id
      left join trader_totals tt on tt.trader_id = t.id
      left join trader_profiles p on p.trader_id = s.trader_id and ${sql.raw(isHistoryKnown("s"))}`,
    Row,
  );
  return rows[0] ?? null;
}
