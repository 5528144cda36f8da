/** How a large trade is named in a path or a query: its wt_ id, or the bare integer in it. */
export const LARGE_TRADE_REF = /^(wt_)?[1-9][0-9]*$/;

/** Row ids stay below 10^15; a longer number is well formed, and nobody's. */
const MOST_DIGITS = 15;

/** @returns the row id that a well-formed reference names, or null when no row can have it */
export function parseLargeTradeRef(ref: string): number | null {
  const digits = ref.replace("wt_", "");
  return digits.length > MOST_DIGITS ? null : Number(digits);
}
