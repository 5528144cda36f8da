import { z } from "zod";
import { ConditionId, OptionalDate, Text } from "../fields.ts";

const PPM = 1_000_000;

/** A row of `/v2/resolutions`. Payouts are in millionths, by outcome index. */
export const ResolutionRow = z.object({
  condition_id: ConditionId,
  status: Text,
  payouts: z
    .array(z.number().int().min(0).max(PPM))
    .nullish()
    .transform((payouts) => (payouts === undefined || payouts === null || payouts.length === 0 ? null : payouts))
    .refine(
      (payouts) => payouts === null || payouts.reduce((sum, ppm) => sum + ppm, 0) === PPM,
      "payouts do not sum to 1,000,000",
    ),
  resolved_at: OptionalDate,
  /**
   * Sent since September 2026 for a question with a proposed answer. It is only a hint, so an invalid value
   * does not invalidate the row.
   */
  expected_settlement_time: OptionalDate.catch(null),
});

export type ResolutionRow = z.output<typeof ResolutionRow>;
