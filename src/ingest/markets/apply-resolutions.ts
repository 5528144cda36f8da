import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { m } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { recordset } from "../../db/fragments/recordset.ts";
import { markets } from "../../db/schema.ts";
import { alias, array, columnName, run, selectRows } from "../../db/sql.ts";
import type { QuarantinedRecord, ProviderResolution } from "../../platform/provider.ts";
import { lockLedger } from "../ledger/record-ledger-entries.ts";
import { lockMarkets } from "../ledger/row-locks.ts";
import { clearEndedQuotes } from "./results/clear-ended-quotes.ts";
import { recordResultsVersion } from "./results/record-results-version.ts";
import { rescheduleAfterCheck } from "./results/schedule-results.ts";
import { matchToRequested } from "./match-to-requested.ts";
import { quarantineRecords } from "../feeds/quarantine-records.ts";
import { markSettled } from "../skill/mark-due.ts";
import { listCombosOfLegs, settleCombos } from "../combos/settle-combos.ts";
import { settlePositions } from "./settle-positions.ts";

/**
 * Stores the resolutions of the requested conditions and settles the positions of those markets: open shares
 * pay out, less their cost basis. A later change (a reversal) settles the market again; an identical
 * resolution changes nothing. If a resolved market comes without payouts, the stored payouts stay: an absent
 * field is unknown.
 *
 * Combos with a leg in these markets are settled in the same transaction. They are left out of the bets of
 * skill grades.
 *
 * Results count on the UTC day of the provider's `resolved_at`; without it, on the day these payouts were
 * first read.
 *
 * A row of a condition that was not requested is quarantined. A condition without a row does not count as
 * checked; its schedule checks it again.
 *
 * @returns how many markets gained, changed or lost a result
 */
export async function applyResolutions(
  session: Session,
  requestedIds: readonly string[],
  resolutions: readonly ProviderResolution[],
  quarantined: readonly QuarantinedRecord[],
  now: Date,
): Promise<number> {
  await Promise.all([
    lockLedger(session),
    run(session, lockMarkets(sql`${m.conditionId} = any(${array(requestedIds, "text")})`)),
  ]);
  const { matched, unrequested } = matchToRequested(resolutions, requestedIds, (row) => row.conditionId);
  await quarantineRecords(session, "resolutions", [...quarantined, ...unrequested]);
  const changed = await writeResolutions(session, [...matched.values()]);
  const marketIds = changed.map((row) => row.id);
  const combos = await settleCombos(session, await listCombosOfLegs(session, marketIds));
  await settlePositions(session, [
    ...changed.map((row) => ({ marketId: row.id, previousSettledOn: row.settled_on_before })),
    ...combos,
  ]);
  await markSettled(session, marketIds);
  await clearEndedQuotes(session, marketIds, now);
  if (changed.length > 0) await recordResultsVersion(session);
  await rescheduleAfterCheck(session, requestedIds, matched, now);
  return changed.length;
}

const ChangedMarket = z.object({ id: z.string(), settled_on_before: z.string().nullable() });

const before = alias(markets, "before");

async function writeResolutions(
  session: Session,
  rows: readonly ProviderResolution[],
): Promise<readonly z.output<typeof ChangedMarket>[]> {
  if (rows.length === 0) return [];
  return selectRows(
    session,
    sql`with reported as (
       select condition_id, t.status, t.resolved_at,
         case when t.payouts is not null then array(select jsonb_array_elements_text(t.payouts)::int)
           when t.status = 'resolved' then ${m.payoutsPpm} end as payouts_ppm
       from ${resolutionRows(rows)}
       join ${m} using (condition_id)
     )
     update ${m} set
       ${columnName(m.resolutionStatus)} = reported.status, ${columnName(m.payoutsPpm)} = reported.payouts_ppm,
       ${columnName(m.resolvedAt)} = reported.resolved_at,
       ${columnName(m.settledOn)} = case
         when reported.payouts_ppm is null then null
         when reported.resolved_at is not null then (reported.resolved_at at time zone 'UTC')::date
         when reported.payouts_ppm = ${before.payoutsPpm} then ${before.settledOn}
         else (now() at time zone 'UTC')::date end
     from reported join ${before} using (condition_id)
     where ${m.id} = ${before.id}
       and (${before.resolutionStatus}, ${before.payoutsPpm}, ${before.resolvedAt})
         is distinct from (reported.status, reported.payouts_ppm, reported.resolved_at)
     returning ${m.id}, ${before.settledOn}::text as settled_on_before`,
    ChangedMarket,
  );
}

const resolutionRows = (rows: readonly ProviderResolution[]): SQL =>
  recordset("t", rows, {
    condition_id: ["text", (row) => row.conditionId],
    status: ["text", (row) => row.status],
    payouts: ["jsonb", (row) => (row.payoutsPpm === null ? null : JSON.stringify(row.payoutsPpm))],
    resolved_at: ["timestamptz", (row) => row.resolvedAt?.toISOString() ?? null],
  });
