/** How a path or a query names a large trade: its wt_ id, or the bare integer in it. */
export const LARGE_TRADE_REF = /^(wt_)?[1-9][0-9]*$/;

/** How a path names a suspicious trade: its rf_ id, or the bare integer in it. */
export const SUSPICIOUS_TRADE_REF = /^(rf_)?[1-9][0-9]*$/;

/** Row ids stay below 10^15; a longer number is well formed, and nobody's. */
const MOST_DIGITS = 15;

/** @returns the row id that a well-formed reference names, or null when no row can have it */
export function parseRowRef(ref: string): number | null {
  const digits = ref.replace(/^[a-z]+_/, "");
  return digits.length > MOST_DIGITS ? null : Number(digits);
}
