import { sql } from "drizzle-orm";
import { z } from "zod";
import { m } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { array, selectRows } from "../../db/sql.ts";
import type { QuarantinedRecord, ProviderMarket } from "../../platform/provider.ts";
import { settlePositions, type SettlementChange } from "./settle-positions.ts";
import { lockLedger } from "../ledger/record-ledger-entries.ts";
import { loadResultSchedules, rescheduleAfterHydration } from "./results/schedule-results.ts";
import { quarantineRecords } from "../feeds/quarantine-records.ts";
import { writeEvents } from "./write-events.ts";
import { writeMarkets } from "./write-markets.ts";
import { writeOutcomes } from "./write-outcomes.ts";
import { markReshaped, readBetShapes } from "../skill/mark-due.ts";

/**
 * Writes the provider's market objects with their events and outcomes. Applying the same response twice
 * changes only the as-of time of its figures. Three round trips, because other writers of the ledger wait meanwhile:
 * the lock and what is stored; the writes and what is stored then; what follows from the difference.
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
  if (unique.length === 0) return quarantineRecords(session, "markets", quarantined);
  const conditionIds = [...byCondition.keys()];
  const described = { conditionIds, eventSlugs: [...new Set(unique.flatMap(({ event }) => event?.slug ?? []))] };
  const [, , shapesBefore, scheduledBefore] = await Promise.all([
    quarantineRecords(session, "markets", quarantined),
    lockLedger(session),
    readBetShapes(session, described),
    loadResultSchedules(session, conditionIds),
  ]);
  const [, , , shapes, scheduled, resolved] = await Promise.all([
    writeEvents(session, unique, readAt),
    writeMarkets(session, unique, readAt),
    writeOutcomes(session, unique, readAt),
    readBetShapes(session, described),
    loadResultSchedules(session, conditionIds),
    listResolved(session, conditionIds),
  ]);
  await Promise.all([
    settlePositions(session, resolved),
    markReshaped(session, shapesBefore, shapes),
    rescheduleAfterHydration(session, unique, scheduledBefore, scheduled, readAt),
  ]);
}

/** An outcome that gets its index only after its market resolved pays out now. */
async function listResolved(session: Session, conditionIds: readonly string[]): Promise<SettlementChange[]> {
  const resolved = await selectRows(
    session,
    sql`select ${m.id}, ${m.settledOn}::text as settled_on from ${m}
      where ${m.conditionId} = any(${array(conditionIds, "text")}) and ${m.payoutsPpm} is not null`,
    z.object({ id: z.string(), settled_on: z.string().nullable() }),
  );
  return resolved.map((row) => ({ marketId: row.id, previousSettledOn: row.settled_on }));
}
