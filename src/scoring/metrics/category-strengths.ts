import { reachesFloor } from "../dollar-floor.ts";
import { groupBy } from "./category-records.ts";
import {
  MIN_DECIDED_FOR_WIN_RATE,
  STRENGTH_MAX_PRICE,
  STRENGTH_MIN_COST_MICRO,
  STRENGTH_MIN_PRICE,
} from "./parameters.ts";
import type { SettledMarket } from "./settled-market.ts";
import { winRate, winRecord } from "./win-record.ts";

/** A trader's results in one category, from informative markets only. */
export interface CategoryStrength {
  readonly category: string;
  readonly wins: number;
  readonly decided: number;
  /** Fraction 0 to 1; null below MIN_DECIDED_FOR_WIN_RATE. */
  readonly winRate: number | null;
  /** Mean price paid, 0 to 1: the win rate that the prices implied. Null with `winRate`. */
  readonly expectedWinRate: number | null;
  readonly pnlMicro: bigint;
  readonly costMicro: bigint;
  /** `pnlMicro` over `costMicro` (0.1 is 10 %); null with `winRate`. */
  readonly returnOnCost: number | null;
}

/**
 * Strength by category, best return first, unmeasured categories last by name. Unlike a category's record it
 * excludes uninformative markets: those below 20 USD, and those entered below 0.05, above 0.95 or at an
 * unknown price, where the outcome was nearly certain.
 *
 * Source: the contract for the floor; the price bounds are our own, version 1.
 */
export function categoryStrengths(markets: readonly SettledMarket[]): readonly CategoryStrength[] {
  return [...groupBy(markets.filter(isInformative), (market) => market.category)]
    .map(([category, group]) => strengthOf(category, group))
    .sort(
      (a, b) =>
        (b.returnOnCost ?? Number.NEGATIVE_INFINITY) - (a.returnOnCost ?? Number.NEGATIVE_INFINITY) ||
        (a.category < b.category ? -1 : 1),
    );
}

type InformativeMarket = SettledMarket & { readonly entryPrice: number };

function isInformative(market: SettledMarket): market is InformativeMarket {
  const { costMicro, entryPrice, pnlMicro } = market;
  if (entryPrice === null || pnlMicro === 0n || !reachesFloor(costMicro, STRENGTH_MIN_COST_MICRO)) return false;
  return entryPrice >= STRENGTH_MIN_PRICE && entryPrice <= STRENGTH_MAX_PRICE;
}

function strengthOf(category: string, markets: readonly InformativeMarket[]): CategoryStrength {
  const record = winRecord(markets);
  const rate = winRate(record, MIN_DECIDED_FOR_WIN_RATE);
  const pnlMicro = markets.reduce((sum, market) => sum + market.pnlMicro, 0n);
  const costMicro = markets.reduce((sum, market) => sum + market.costMicro, 0n);
  return {
    category,
    ...record,
    winRate: rate,
    expectedWinRate: rate === null ? null : meanPrice(markets),
    pnlMicro,
    costMicro,
    returnOnCost: rate === null ? null : Number(pnlMicro) / Number(costMicro),
  };
}

/** Sorted first: the sum of floats depends on their order. */
function meanPrice(markets: readonly InformativeMarket[]): number {
  const prices = markets.map((market) => market.entryPrice).sort((a, b) => a - b);
  return prices.reduce((sum, price) => sum + price, 0) / prices.length;
}
