/**
 * How closely a wallet is followed. Hot and warm wallets have their whole activity read; a cold one is known only from the trade feed.
 */
export type Tier = "hot" | "warm" | "cold";

/** One fill of this many dollars makes a wallet warm; a large trade or a place on the provider's board makes it hot. */
export const WARM_MIN_FILL_USD = 1_000;

const RESYNC_MS: Record<Exclude<Tier, "cold">, number> = { hot: 60_000, warm: 30 * 60_000 };

/** When a wallet whose sync has just reached the end is read again. */
export function decideNextSync(tier: Exclude<Tier, "cold">, now: Date): Date {
  return new Date(now.getTime() + RESYNC_MS[tier]);
}
