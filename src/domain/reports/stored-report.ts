import { z } from "zod";
import { GRADES } from "../traders/grades.ts";

const micro = z
  .string()
  .regex(/^[0-9]+$/)
  .transform(BigInt);
const count = z.number().int();
const text = z.string().nullable();
const grade = z.enum(GRADES).nullable();

/**
 * The `report` column of `report_snapshots`: aggregates of the large trades of a range of UTC days, as
 * `selectReport` of src/db/report-content.ts builds it. Money is text of micro-dollars.
 */
export const StoredReport = z.object({
  trades: count,
  volume_micro: micro,
  /** Null without a trade. */
  biggest_micro: micro.nullable(),
  traders: count,
  /** Days with a large trade. */
  active_days: count,
  /** Largest first, with the names and grades at generation time. */
  top: z.array(
    z.object({
      id: count,
      outcome: text,
      side: z.enum(["BUY", "SELL"]),
      title: text,
      size_micro: micro,
      price: z.string(),
      token_id: z.string(),
      traded_at: z.string(),
      category: text,
      name: text,
      grade,
    }),
  ),
  /** Largest volume first; trades of markets without a category are not included. */
  categories: z.array(z.object({ category: z.string(), trades: count, volume_micro: micro })),
  /** Best grade first, ungraded traders last. */
  grades: z.array(z.object({ grade, traders: count })),
  /** How much of the range the trade feed has covered: `whole` to its end, `part` of it, or `none`. */
  read: z.enum(["whole", "part", "none"]),
  /** The UTC day on which detection began, if it is within the range: earlier trades are unknown. */
  covered_from: text,
});

export type StoredReport = z.output<typeof StoredReport>;
