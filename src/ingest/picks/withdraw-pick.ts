import { sql } from "drizzle-orm";
import type { Connection } from "../../db/client.ts";
import { pickRevisions } from "../../db/schema.ts";
import { columnNames, run, timestamp } from "../../db/sql.ts";
import { isWithdrawn, k } from "../../db/fragments/picks.ts";

/**
 * Why a pick was withdrawn. Until its market has a result: `game_off`, postponed, cancelled or abandoned, and
 * `rescheduled` to another day. A slot: also `market_closed`, `game_started` before its time, `not_admitted` by the rule
 * at its release. `operator`: by hand, in any state.
 */
export type WithdrawalReason =
  | "game_off"
  | "rescheduled"
  | "market_closed"
  | "game_started"
  | "not_admitted"
  | "operator";

/**
 * Withdraws a pick: a slot is never published, a published pick leaves every read but the ledger. It still settles
 * there. Once withdrawn it stays so.
 *
 * @returns false when there is no such pick, or it was withdrawn before
 */
export async function withdrawPick(
  connection: Connection,
  pickId: number,
  reason: WithdrawalReason,
  now: Date,
): Promise<boolean> {
  const { pickId: id, withdrawnFor, recordedAt } = pickRevisions;
  const added = await run(
    connection,
    sql`insert into ${pickRevisions} (${columnNames(id, withdrawnFor, recordedAt)})
     select locked.id, ${reason}, ${timestamp(now)} from (
       select ${k.id} from ${k} where ${k.id} = ${pickId} for update
     ) locked join ${k} on ${k.id} = locked.id and not ${isWithdrawn(k.id)}`,
  );
  return added === 1;
}
