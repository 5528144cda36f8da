import { z } from "zod";

/** How a path or a query names a large trade: its wt_ id, or the bare integer in it. */
export const LARGE_TRADE_REF = /^(wt_)?[1-9][0-9]*$/;

/** The path segment of a large trade's operations. */
export const LargeTradeSegment = z.string().regex(LARGE_TRADE_REF, "expected a wt_ id or an integer").meta({
  description: "The trade's wt_ id, or the number in it. Another text is refused with 400; a trade that is not there is 404.",
  example: "wt_81",
});

/** The path segment of a suspicious trade's operations. */
export const SuspiciousTradeSegment = z
  .string()
  .regex(/^(rf_)?[1-9][0-9]*$/, "expected an rf_ id or an integer")
  .meta({
    description: "The flag's rf_ id, or the number in it. Another text is refused with 400; a flag that is not there is 404.",
    example: "rf_3",
  });

/** Row ids stay below 10^15; a longer number is well formed, and nobody's. */
const MOST_DIGITS = 15;

/** @returns the row id that a well-formed reference names, or null when no row can have it */
export function parseRowRef(ref: string): number | null {
  const digits = ref.replace(/^[a-z]+_/, "");
  return digits.length > MOST_DIGITS ? null : Number(digits);
}
