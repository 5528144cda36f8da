import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { traderGrades } from "../../db/schema.ts";
import { integer, type Columns } from "../../db/sql.ts";

/** The input of a published grade, stored with it. Points are hundredths of a dollar per share. */
export const GradeBasis = z.object({
  method: z.string(),
  /** SHA-256 of the canonical input, in hex. */
  input_hash: z.string(),
  bets: integer,
  /** Events with a settled purchase; all markets of an event count as one. */
  clusters: integer,
  /** Payout minus price paid; null when all prices were 0 or 1. */
  raw_points: z.number().nullable(),
  expected_points: z.number(),
  deviation_points: z.number(),
  /** The fraction of the expectation, 0 to 1, that comes from the trader's own record. */
  own_share: z.number(),
  /** The probability in percent of an edge above zero by the recent evidence alone; null where it decides nothing. */
  recent_forecast_score: z.number().nullable(),
});

export type GradeBasis = z.output<typeof GradeBasis>;

/** The basis as JSON; null without a population to compute a grade with. */
export const gradeBasis = ({
  components,
  methodVersion,
  inputHash,
}: Columns<typeof traderGrades, "components" | "methodVersion" | "inputHash">): SQL => sql`
  case when ${components} -> 'estimate' ->> 'expectedPoints' is not null then jsonb_build_object(
    'method', ${methodVersion}, 'input_hash', ${inputHash},
    'bets', ${components} -> 'evidence' -> 'bets', 'clusters', ${components} -> 'evidence' -> 'clusters',
    'raw_points', ${components} -> 'estimate' -> 'rawPoints',
    'expected_points', ${components} -> 'estimate' -> 'expectedPoints',
    'deviation_points', ${components} -> 'estimate' -> 'deviationPoints',
    'own_share', ${components} -> 'estimate' -> 'ownShare',
    'recent_forecast_score', ${components} -> 'estimate' -> 'recentForecastScore') end`;
