import { sql, type SQL } from "drizzle-orm";

/** How a request names a market: by our row id, or by the provider's condition id in the form we store. */
export type MarketRef = { readonly id: number } | { readonly conditionId: string };

/** Holds for the row `m` of `markets` that the reference names. */
export const isMarket = (ref: MarketRef): SQL => ("id" in ref ? sql`m.id = ${ref.id}` : sql`m.condition_id = ${ref.conditionId}`);
