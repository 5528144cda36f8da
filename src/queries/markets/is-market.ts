import { sql, type SQL } from "drizzle-orm";
import { m } from "../../db/aliases.ts";

/** How a request identifies a market: by our row id, or by the provider's condition id in the stored form. */
export type MarketRef = { readonly id: number } | { readonly conditionId: string };

/** SQL condition: `m`, a row of `markets`, is the referenced market. */
export const isMarket = (ref: MarketRef): SQL =>
  "id" in ref ? sql`${m.id} = ${ref.id}` : sql`${m.conditionId} = ${ref.conditionId}`;
