import { z } from "zod";

/** A large trade id in a path or query: the wt_ id, or the bare integer in it. */
export const LARGE_TRADE_ID_PATTERN = /^(wt_)?[1-9][0-9]*$/;

/** Path parameter of the large-trade operations. */
export const LargeTradeIdParam = z.string().regex(LARGE_TRADE_ID_PATTERN, "expected a wt_ id or an integer").meta({
  description: "The trade's wt_ id, or the integer in it. Any other text returns 400; an unknown trade returns 404.",
  example: "wt_81",
});

/** Path parameter of the suspicious-trade operations. */
export const SuspiciousTradeIdParam = z
  .string()
  .regex(/^(rf_)?[1-9][0-9]*$/, "expected an rf_ id or an integer")
  .meta({
    description: "The flag's rf_ id, or the integer in it. Any other text returns 400; an unknown flag returns 404.",
    example: "rf_3",
  });

/** Row ids stay below 10^15. A longer number is well formed but matches no row. */
const MAX_DIGITS = 15;

/** @returns the row id of a well-formed reference; null when it is too long for any row id */
export function parseRowId(ref: string): number | null {
  const digits = ref.replace(/^[a-z]+_/, "");
  return digits.length > MAX_DIGITS ? null : Number(digits);
}
