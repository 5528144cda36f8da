import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { count } from "./rows.ts";

/** What a published grade was computed from, as it was stored with it. Points are hundredths of a dollar a share. */
export const GradeBasis = z.object({
  method: z.string(),
  /** SHA-256 of the canonical input, in hex. */
  input_hash: z.string(),
  bets: count,
  /** Events with a settled purchase; all markets of an event are one. */
  clusters: count,
  /** Won minus price paid; null when all prices were 0 or 1. */
  raw_points: z.number().nullable(),
  expected_points: z.number(),
  deviation_points: z.number(),
  /** Fraction from 0 to 1 of the expectation that is the wallet's own record. */
  own_share: z.number(),
});

export type GradeBasis = z.output<typeof GradeBasis>;

/** Of a row of `trader_grades`; null where there was no population to compute a grade with. */
export const gradeBasis: SQL = sql`case when components -> 'estimate' ->> 'expectedPoints' is not null then jsonb_build_object(
    'method', method_version, 'input_hash', input_hash, 'bets', components -> 'evidence' -> 'bets',
    'clusters', components -> 'evidence' -> 'clusters', 'raw_points', components -> 'estimate' -> 'rawPoints',
    'expected_points', components -> 'estimate' -> 'expectedPoints', 'deviation_points', components -> 'estimate' -> 'deviationPoints',
    'own_share', components -> 'estimate' -> 'ownShare') end`;
