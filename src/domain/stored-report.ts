import { z } from "zod";
import { GRADES } from "./grades.ts";

const micro = z
  .string()
  .regex(/^[0-9]+$/)
  .transform(BigInt);
const count = z.number().int();
const text = z.string().nullable();
const grade = z.enum(GRADES).nullable();

/**
 * The `report` column of `report_snapshots`: what the large trades of a range of UTC days come to, as `selectReport` of
 * src/db/report-content.ts puts it together. Money is text of micro-dollars.
 */
export const StoredReport = z.object({
  trades: count,
  volume_micro: micro,
  /** Null without a trade. */
  biggest_micro: micro.nullable(),
  traders: count,
  /** Days with a large trade. */
  active_days: count,
  /** Largest first, with today's names and grades. */
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
  /** Largest volume first; trades whose market has no category are in none. */
  categories: z.array(z.object({ category: z.string(), trades: count, volume_micro: micro })),
  /** Best grade first, ungraded wallets last. */
  grades: z.array(z.object({ grade, wallets: count })),
  /** How much of the range the trade feed has been read: to its end, into it, or not at all. */
  read: z.enum(["whole", "part", "none"]),
  /** The UTC day detection began on, when that is within the range: what was before is not known. */
  covered_from: text,
});

export type StoredReport = z.output<typeof StoredReport>;
