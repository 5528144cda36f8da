import type { Tier } from "./tracking.ts";

export type HoldingFreshness = "fresh" | "refreshing" | "stale" | "unknown";

/** Followed wallets are read at least every half hour; one reading may fail. */
const FRESH_MS = 60 * 60_000;

/** Values follow prices within seconds; older than this, something is wrong. */
export const VALUES_FRESH_MS = 5 * 60_000;

/**
 * How fresh a wallet's holdings are: fresh within an hour of the last reading of its activity; then refreshing while the wallet is followed, because
 * it is due to be read; stale when nobody follows it any more.
 *
 * @param reconciledAt null when its whole activity was never read, or not all of it could be applied
 */
export function holdingFreshness(reconciledAt: Date | null, tier: Tier, now: Date): HoldingFreshness {
  if (reconciledAt === null) return "unknown";
  if (now.getTime() - reconciledAt.getTime() <= FRESH_MS) return "fresh";
  return tier === "cold" ? "stale" : "refreshing";
}
