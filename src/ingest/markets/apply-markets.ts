import { sql } from "drizzle-orm";
import { z } from "zod";
import { m } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { array, selectRows } from "../../db/sql.ts";
import type { QuarantinedRecord, ProviderMarket } from "../../platform/provider.ts";
import { settlePositions } from "./settle-positions.ts";
import { lockLedger } from "../ledger/record-ledger-entries.ts";
import { loadResultSchedules, rescheduleAfterHydration } from "./results/schedule-results.ts";
import { quarantineRecords } from "../feeds/quarantine-records.ts";
import { writeEvents } from "./write-events.ts";
import { writeMarkets } from "./write-markets.ts";
import { writeOutcomes } from "./write-outcomes.ts";
import { markReshaped, readBetShapes } from "../skill/mark-due.ts";

/**
 * Writes the provider's market objects with their events and outcomes. Applying the same response twice
 * changes only the as-of time of its figures.
 *
 * @param readAt when the provider responded; prices and volumes carry it as their as-of time
 */
export async function applyMarkets(
  session: Session,
  rows: readonly ProviderMarket[],
  quarantined: readonly QuarantinedRecord[],
  readAt: Date,
): Promise<void> {
  const byCondition = new Map(rows.map((row) => [row.conditionId, row]));
  const unique = [...byCondition.values()];
  await quarantineRecords(session, "markets", quarantined);
  if (unique.length === 0) return;
  await lockLedger(session);
  const shapes = await readBetShapes(session, [...byCondition.keys()]);
  const scheduled = await loadResultSchedules(session, [...byCondition.keys()]);
  await writeEvents(session, unique, readAt);
  await writeMarkets(session, unique, readAt);
  await writeOutcomes(session, unique, readAt);
  await settleResolved(session, unique);
  await markReshaped(session, [...byCondition.keys()], shapes);
  await rescheduleAfterHydration(session, unique, scheduled, readAt);
}

/** An outcome that gets its index only after its market resolved pays out now. */
async function settleResolved(session: Session, rows: readonly ProviderMarket[]): Promise<void> {
  const conditionIds = rows.map((row) => row.conditionId);
  const resolved = await selectRows(
    session,
    sql`select ${m.id}, ${m.settledOn}::text as settled_on from ${m}
      where ${m.conditionId} = any(${array(conditionIds, "text")}) and ${m.payoutsPpm} is not null`,
    z.object({ id: z.string(), settled_on: z.string().nullable() }),
  );
  await settlePositions(
    session,
    resolved.map((row) => ({ marketId: row.id, previousSettledOn: row.settled_on })),
  );
}
