import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { m } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { isoText, selectRow, selectRows } from "../../db/sql.ts";
import { commitment, joinEveryOutcome, joinOutcome, k } from "../../db/fragments/picks.ts";
import { Outcome } from "./outcome-column.ts";

const LedgerRow = z.object({
  id: z.string(),
  date: z.string(),
  rank: z.number(),
  is_free: z.boolean(),
  kickoff: z.string(),
  condition_id: z.string(),
  outcome_index: z.literal([0, 1]),
  outcome_label: z.string(),
  price: z.string(),
  matchup: z.string(),
  category: z.string(),
  outcome: Outcome,
  resolved_at: z.string().nullable(),
  /** Null for a pick that was published without a commitment. */
  hash: z.string().nullable(),
  sealed_at: z.string().nullable(),
  /** Both null until the commitment is opened. */
  payload: z.string().nullable(),
  nonce: z.string().nullable(),
});

export type LedgerRow = z.output<typeof LedgerRow>;

/** Every published pick, withdrawn or not, by product day and rank. */
export const listPickLedger = (db: Database): Promise<LedgerRow[]> =>
  selectRows(db, selectLedger(joinEveryOutcome, sql`true`), LedgerRow);

/** @returns null unless the pick exists and is published */
export const findPickLedgerEntry = (db: Database, pickId: number): Promise<LedgerRow | null> =>
  selectRow(db, selectLedger(joinOutcome, sql`${k.id} = ${pickId}`), LedgerRow);

/** The payload leaves the database only with the nonce of an opened commitment; the encrypted nonce never does. */
const selectLedger = (joinSettled: SQL, which: SQL): SQL => sql`
  select ${k.id}::text as id, ${k.pickDate}::text as date, ${k.rank}, ${k.isFree}, ${isoText(k.kickoff)} as kickoff,
    ${m.conditionId}, ${k.outcomeIndex}, ${k.outcomeLabel}, ${k.backedPrice}::text as price, ${k.matchup}, ${k.category},
    settled.outcome, settled.recorded_at as resolved_at, ${commitment.hash}, ${isoText(commitment.sealedAt)} as sealed_at,
    case when ${commitment.nonce} is not null then ${commitment.payload} end as payload, ${commitment.nonce}
  from ${k} join ${m} on ${m.id} = ${k.marketId} left join ${commitment} on ${commitment.pickId} = ${k.id} ${joinSettled}
  where ${k.publishedAt} is not null and ${which}
  order by ${k.pickDate}, ${k.rank}`;
