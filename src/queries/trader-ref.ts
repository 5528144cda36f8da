import { sql, type SQL } from "drizzle-orm";
import type { TraderRef } from "./traders.ts";

/** The row of the wallet a reference names; none when we have not seen it. A username shared by several is that of the first seen. */
export const selectTrader = (ref: TraderRef): SQL => sql`select t.id, t.address from traders t where ${nameOf(ref)} order by t.id limit 1`;

function nameOf(ref: TraderRef): SQL {
  if ("id" in ref) return sql`t.id = ${ref.id}`;
  return "address" in ref ? sql`t.address = ${ref.address}` : sql`lower(t.username) = ${ref.username}`;
}
