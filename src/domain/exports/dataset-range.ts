import { DAY_MS } from "../../scoring/utc-calendar.ts";
import { parseCents } from "../money.ts";

export const MAX_RANGE_DAYS = 31;
/** A larger floor selects nothing that the provider could settle. */
const MAX_MIN_SIZE_USD = 1e12;

/** The filters of a dataset, as a job stores them. The range is half-open: [from, to). */
export interface DatasetFilters {
  readonly from: string;
  readonly to: string;
  readonly condition_id: string | null;
  /** Whole cents, at least 1; null for all sizes. */
  readonly min_size_cents: number | null;
}

export type RangeFault = { readonly param: "from" | "to" | "min_size"; readonly message: string };

/** The reason for which a range is refused, or null. */
export function findRangeFault(from: Date, to: Date, now: Date): RangeFault | null {
  if (from.getTime() >= to.getTime()) return { param: "to", message: "to must be later than from." };
  if (to.getTime() > now.getTime()) return { param: "to", message: "to must not be in the future." };
  if (to.getTime() - from.getTime() > MAX_RANGE_DAYS * DAY_MS)
    return { param: "from", message: `The range must not be longer than ${MAX_RANGE_DAYS} days.` };
  return null;
}

export function findSizeFault(minSizeUsd: number): RangeFault | null {
  if (minSizeUsd < 0) return { param: "min_size", message: "min_size must not be negative." };
  if (minSizeUsd > MAX_MIN_SIZE_USD) return { param: "min_size", message: "min_size is too large." };
  return null;
}

/** Whole cents, half a cent rounded up; null for an amount below half a cent, which every trade reaches. */
export function toSizeCents(minSizeUsd: number | null): number | null {
  if (minSizeUsd === null) return null;
  const cents = Number(parseCents(minSizeUsd));
  return cents === 0 ? null : cents;
}

/** The floor as the event replay reads it: `25000` or `25000.5`, in dollars. */
export const sizeText = (cents: number): string => String(cents / 100);
