import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { atInstant, hasLiveBook, isOver, marketPhase, priceBasis, priceOf, valueOf } from "../db/market-price.ts";

// The rules of src/db/market-price.ts for a market `m` and an outcome `o` of it, at the moment that a request is answered for.

export type MarketStatus = "active" | "closed" | "all";

export const MarketPhase = z.enum(["open", "awaiting_result", "resolved"]);

export type MarketPhase = z.output<typeof MarketPhase>;

const aliases = (now: Date, outcome = "o") => ({ market: "m", outcome, now: atInstant(now) });

export const isOverAt = (now: Date): SQL => sql.raw(isOver(aliases(now)));

export const phaseAt = (now: Date): SQL => sql.raw(marketPhase(aliases(now)));

/** @param outcome alias of the outcome's row */
export const priceAt = (now: Date, outcome?: string): SQL => sql.raw(priceOf(aliases(now, outcome)));

export const priceBasisAt = (now: Date): SQL => sql.raw(priceBasis(aliases(now)));

export const hasLiveBookAt = (now: Date): SQL => sql.raw(hasLiveBook(aliases(now)));

/** @param shares micro-shares held of the outcome, an SQL expression */
export const valueAt = (now: Date, shares: string): SQL => sql.raw(valueOf(aliases(now), shares));

/** Null lets all through. */
export function withStatus(status: MarketStatus, now: Date): SQL | null {
  return status === "all" ? null : status === "closed" ? isOverAt(now) : sql`not ${isOverAt(now)}`;
}
