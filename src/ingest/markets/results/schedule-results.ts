import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { m } from "../../../db/aliases.ts";
import type { Session } from "../../../db/client.ts";
import { recordset } from "../../../db/fragments/recordset.ts";
import { array, columnName, epochMs, run, selectRows, timestamp, type Columns } from "../../../db/sql.ts";
import type { markets } from "../../../db/schema.ts";
import {
  nextResultCheck,
  resultCheckAfterHydration,
  type ScheduledResult,
} from "../../../domain/markets/result-schedule.ts";
import type { ProviderMarket, ProviderResolution } from "../../../platform/provider.ts";

const ScheduleRow = z.object({
  condition_id: z.string(),
  closed: z.boolean(),
  closed_ms: z.number().nullable(),
  end_ms: z.number().nullable(),
  settled_ms: z.number().nullable(),
  due_ms: z.number().nullable(),
});

/** UTC midnight of the day on which a market's result counts. */
export const settledMidnight = (market: Columns<typeof markets, "settledOn">): SQL =>
  sql`(${market.settledOn}::timestamp at time zone 'UTC')`;

/** The facts that decide when a market's result is checked, by condition id; of hydrated markets only. */
export async function loadResultSchedules(
  session: Session,
  conditionIds: readonly string[],
): Promise<ReadonlyMap<string, ScheduledResult>> {
  const rows = await selectRows(
    session,
    sql`select ${m.conditionId}, ${m.closed}, ${epochMs(m.closedAt)} as closed_ms, ${epochMs(m.endAt)} as end_ms,
       ${epochMs(m.resultDueAt)} as due_ms,
       ${epochMs(settledMidnight(m))} as settled_ms
     from ${m} where ${m.conditionId} = any(${array(conditionIds, "text")}) and ${m.hydratedAt} is not null`,
    ScheduleRow,
  );
  return new Map(
    rows.map((row) => [
      row.condition_id,
      {
        isClosed: row.closed,
        closedAtMs: row.closed_ms,
        endAtMs: row.end_ms,
        settledOnMs: row.settled_ms,
        dueAtMs: row.due_ms,
      },
    ]),
  );
}

/** Whether the object of a stored market leaves the next result check as it is, where it states these same facts. */
export const keepsResultCheck = (row: ProviderMarket, stored: ScheduledResult, now: Date): boolean =>
  resultCheckAfterHydration(stored, stored, claimsResolved(row), now.getTime()) === stored.dueAtMs;

/**
 * Sets the next result check of markets that have just been hydrated.
 * @param before their facts before the hydration
 * @param after their facts now
 */
export async function rescheduleAfterHydration(
  session: Session,
  rows: readonly ProviderMarket[],
  before: ReadonlyMap<string, ScheduledResult>,
  after: ReadonlyMap<string, ScheduledResult>,
  now: Date,
): Promise<void> {
  const rescheduled = rows.flatMap((row) => {
    const facts = after.get(row.conditionId);
    if (facts === undefined) return [];
    const dueAtMs = resultCheckAfterHydration(
      before.get(row.conditionId) ?? null,
      facts,
      claimsResolved(row),
      now.getTime(),
    );
    return dueAtMs === facts.dueAtMs ? [] : [{ conditionId: row.conditionId, dueAtMs }];
  });
  if (rescheduled.length === 0) return;
  const due = recordset("t", rescheduled, {
    condition_id: ["text", ({ conditionId }) => conditionId],
    due_ms: ["float8", ({ dueAtMs }) => dueAtMs],
  });
  await run(
    session,
    sql`update ${m} set ${columnName(m.resultDueAt)} = to_timestamp(t.due_ms / 1000)
     from ${due} where ${m.conditionId} = t.condition_id`,
  );
}

/**
 * Whether the market object claims a resolution. This is no result: payouts come only from the provider's
 * resolutions.
 */
function claimsResolved({ closed, resolutionStatus, outcomes }: ProviderMarket): boolean {
  if (resolutionStatus === "resolved" || resolutionStatus === "settled") return true;
  return closed && outcomes.length > 0 && outcomes.every(({ price }) => price === "0" || price === "1");
}

/**
 * Sets the next result check of markets that have just been checked. Markets without a row in the response do
 * not count as checked.
 */
export async function rescheduleAfterCheck(
  session: Session,
  requestedIds: readonly string[],
  answers: ReadonlyMap<string, ProviderResolution>,
  now: Date,
): Promise<void> {
  const scheduled = await loadResultSchedules(session, requestedIds);
  const next = requestedIds.map((conditionId) => {
    const facts = scheduled.get(conditionId);
    const answer = answers.get(conditionId);
    const dueAtMs =
      facts === undefined ? null : nextResultCheck(facts, answer?.expectedAt?.getTime() ?? null, now.getTime());
    return { conditionId, dueAtMs, isAnswered: answer !== undefined };
  });
  const checked = recordset("t", next, {
    condition_id: ["text", ({ conditionId }) => conditionId],
    due_ms: ["float8", ({ dueAtMs }) => dueAtMs],
    is_answered: ["boolean", ({ isAnswered }) => isAnswered],
  });
  await run(
    session,
    sql`update ${m} set ${columnName(m.resultDueAt)} = to_timestamp(t.due_ms / 1000),
       ${columnName(m.resolutionCheckedAt)} = case when t.is_answered then ${timestamp(now)}
         else ${m.resolutionCheckedAt} end
     from ${checked} where ${m.conditionId} = t.condition_id`,
  );
}
