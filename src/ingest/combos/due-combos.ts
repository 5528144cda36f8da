import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { p, s, t } from "../../db/aliases.ts";
import { sessionOf } from "../../db/client.ts";
import { combos } from "../../db/schema.ts";
import { alias, selectRow, selectRows } from "../../db/sql.ts";
import type { IngestMessage } from "../../messages/ingest-message.ts";
import { isLeased, lease } from "../queue/work-leases.ts";

const combo = alias(combos, "combo");

/** Whether a read is due. A message may arrive long after another one has done its work. */
export async function isComboReadDue(pool: Pool, address: string): Promise<boolean> {
  const due = await selectRow(
    sessionOf(pool),
    sql`select from ${t} where ${t.address} = ${address} and (
       exists (select from ${s} where ${s.traderId} = ${t.id} and ${s.combosDueAt} <= now())
       or exists (select from ${p} join ${combo} on ${combo.marketId} = ${p.marketId}
         where ${p.traderId} = ${t.id} and ${combo.readDueAt} <= now()))`,
    z.object({}),
  );
  return due !== null;
}

/**
 * The traders whose combos are due to be read and not leased: followed traders by their own time, once their
 * activity has been read to its end, then a holder of each combo whose legs are not known. A further attempt asks another holder.
 */
export async function listDueCombos(pool: Pool, limit: number): Promise<IngestMessage[]> {
  const rows = await selectRows(
    sessionOf(pool),
    sql`select due.address from (
       (select ${t.address}, 0 as rank, ${s.combosDueAt} as due_at from ${s} join ${t} on ${t.id} = ${s.traderId}
        where ${s.combosDueAt} <= now() and ${s.completeAt} is not null order by ${s.combosDueAt} limit ${2 * limit})
       union all
       (select ${t.address}, 1, ${combo.readDueAt}
        from (select * from ${combos} where ${combos.readDueAt} <= now() order by ${combos.readDueAt}
          limit ${2 * limit}) combo
        cross join lateral (
          select ${p.traderId} from ${p} where ${p.marketId} = ${combo.marketId} order by ${p.traderId}
          offset ${combo.readAttempts}
            % greatest(1, (select count(*) from ${p} where ${p.marketId} = ${combo.marketId})) limit 1
        ) holder
        join ${t} on ${t.id} = holder.trader_id)
     ) due
     where not exists (select from ${lease} where ${lease.key} = due.address and ${isLeased("read_combos")})
     group by due.address order by min(due.rank), min(due.due_at), due.address limit ${limit}`,
    z.object({ address: z.string() }),
  );
  return rows.map((row) => ({ kind: "read_combos", address: row.address }));
}
