import { sql, type SQL } from "drizzle-orm";
import { t } from "../../db/aliases.ts";
import type { TraderRef } from "./traders.ts";

/**
 * Selects the id and address of the referenced trader; no row when we have not seen it. A username shared by
 * several traders selects the one first seen.
 */
export const selectTrader = (ref: TraderRef): SQL =>
  sql`select ${t.id}, ${t.address} from ${t} where ${matchesRef(ref)} order by ${t.id} limit 1`;

function matchesRef(ref: TraderRef): SQL {
  if ("id" in ref) return sql`${t.id} = ${ref.id}`;
  return "address" in ref ? sql`${t.address} = ${ref.address}` : sql`lower(${t.username}) = ${ref.username}`;
}
