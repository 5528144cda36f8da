import { sql, type AnyColumn, type SQL } from "drizzle-orm";
import { z } from "zod";
import { m, o } from "../../db/aliases.ts";
import {
  at,
  hasLiveBook,
  isMarketOver,
  marketPhase,
  outcomePrice,
  outcomePriceBasis,
  sharesValue,
  type PricedRows,
} from "../../db/fragments/market-price.ts";

// The rules of src/db/fragments/market-price.ts for a market `m` and its outcome `o`, at the time of the
// request.

export type MarketStatus = "active" | "closed" | "all";

export const MarketPhase = z.enum(["open", "awaiting_result", "resolved"]);

export type MarketPhase = z.output<typeof MarketPhase>;

const rowsAt = (now: Date, outcome: PricedRows["outcome"] = o): PricedRows => ({ market: m, outcome, now: at(now) });

export const isOverAt = (now: Date): SQL => isMarketOver(rowsAt(now));

export const phaseAt = (now: Date): SQL => marketPhase(rowsAt(now));

/** @param outcome the alias of the outcome's row */
export const priceAt = (now: Date, outcome?: PricedRows["outcome"]): SQL => outcomePrice(rowsAt(now, outcome));

export const priceBasisAt = (now: Date): SQL => outcomePriceBasis(rowsAt(now));

export const hasLiveBookAt = (now: Date): SQL => hasLiveBook(rowsAt(now));

/** @param shares micro-shares of the outcome */
export const valueAt = (now: Date, shares: SQL | AnyColumn): SQL => sharesValue(rowsAt(now), sql`${shares}`);

/** SQL condition for a status; null accepts all markets. */
export function withStatus(status: MarketStatus, now: Date): SQL | null {
  return status === "all" ? null : status === "closed" ? isOverAt(now) : sql`not ${isOverAt(now)}`;
}
