import type { Session } from "../../db/client.ts";
import { nextResultCheck, resultCheckOnceDescribed, type ScheduledResult } from "../../domain/result-schedule.ts";
import type { ProviderMarket, ProviderResolution } from "../../ports/provider.ts";

const ms = (instant: string) => `(extract(epoch from ${instant}) * 1000)::float8`;

/** What the schedule of results knows of markets, by condition id. */
export async function readScheduled(session: Session, conditionIds: readonly string[]): Promise<ReadonlyMap<string, ScheduledResult>> {
  const { rows } = await session.query<{
    condition_id: string;
    closed: boolean;
    closed_ms: number | null;
    end_ms: number | null;
    settled_ms: number | null;
    due_ms: number | null;
  }>(
    `select condition_id, closed, ${ms("closed_at")} as closed_ms, ${ms("end_at")} as end_ms, ${ms("result_due_at")} as due_ms,
       ${ms("(settled_on::timestamp at time zone 'UTC')")} as settled_ms
     from markets where condition_id = any($1::text[]) and hydrated_at is not null`,
    [conditionIds],
  );
  return new Map(
    rows.map((row) => [
      row.condition_id,
      { isClosed: row.closed, closedAtMs: row.closed_ms, endAtMs: row.end_ms, settledOnMs: row.settled_ms, dueAtMs: row.due_ms },
    ]),
  );
}

/** Sets when the markets that have just been described are asked for their results. @param before what was known of them until now */
export async function scheduleDescribed(
  session: Session,
  rows: readonly ProviderMarket[],
  before: ReadonlyMap<string, ScheduledResult>,
  now: Date,
): Promise<void> {
  const after = await readScheduled(
    session,
    rows.map((row) => row.conditionId),
  );
  const moved = rows.flatMap((row) => {
    const facts = after.get(row.conditionId);
    if (facts === undefined) return [];
    const dueAtMs = resultCheckOnceDescribed(before.get(row.conditionId) ?? null, facts, saysResolved(row), now.getTime());
    return dueAtMs === facts.dueAtMs ? [] : [{ conditionId: row.conditionId, dueAtMs }];
  });
  if (moved.length === 0) return;
  await session.query(
    `update markets m set result_due_at = to_timestamp(t.due_ms / 1000)
     from unnest($1::text[], $2::float8[]) as t(condition_id, due_ms) where m.condition_id = t.condition_id`,
    [moved.map(({ conditionId }) => conditionId), moved.map(({ dueAtMs }) => dueAtMs)],
  );
}

/** Not yet a result: which outcome pays is taken from the provider's resolutions only. */
function saysResolved({ closed, resolutionStatus, outcomes }: ProviderMarket): boolean {
  if (resolutionStatus === "resolved" || resolutionStatus === "settled") return true;
  return closed && outcomes.length > 0 && outcomes.every(({ price }) => price === "0" || price === "1");
}

/** Sets when markets that have just been asked for their results are asked again. Those without an answer do not count as checked. */
export async function scheduleAsked(
  session: Session,
  asked: readonly string[],
  answers: ReadonlyMap<string, ProviderResolution>,
  now: Date,
): Promise<void> {
  const scheduled = await readScheduled(session, asked);
  const next = asked.map((conditionId) => {
    const facts = scheduled.get(conditionId);
    const expectedAtMs = answers.get(conditionId)?.expectedAt?.getTime() ?? null;
    return facts === undefined ? null : nextResultCheck(facts, expectedAtMs, now.getTime());
  });
  await session.query(
    `update markets m set result_due_at = to_timestamp(t.due_ms / 1000),
       resolution_checked_at = case when t.is_answered then $4::timestamptz else m.resolution_checked_at end
     from unnest($1::text[], $2::float8[], $3::boolean[]) as t(condition_id, due_ms, is_answered) where m.condition_id = t.condition_id`,
    [asked, next, asked.map((conditionId) => answers.has(conditionId)), now.toISOString()],
  );
}
