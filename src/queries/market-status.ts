import { sql, type SQL } from "drizzle-orm";

export type MarketStatus = "active" | "closed" | "all";

/** Of a market `m`: it is over once trading has closed or it has resolved. */
export const IS_OVER: SQL = sql`(m.closed or m.payouts_ppm is not null)`;

/** Null lets all through. */
export function withStatus(status: MarketStatus): SQL | null {
  return status === "all" ? null : status === "closed" ? IS_OVER : sql`not ${IS_OVER}`;
}
