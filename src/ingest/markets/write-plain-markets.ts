import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { m } from "../../db/aliases.ts";
import { commitTogether } from "../../db/client.ts";
import { recordset } from "../../db/fragments/recordset.ts";
import { markets } from "../../db/schema.ts";
import { array, epochMs } from "../../db/sql.ts";
import type { ScheduledResult } from "../../domain/markets/result-schedule.ts";
import type { ProviderMarket } from "../../platform/provider.ts";
import { lockMarkets } from "../ledger/row-locks.ts";
import { settledMidnight } from "./results/schedule-results.ts";
import { sameEvents, type EventRow } from "./write-events.ts";
import { IS_PLAIN, MARKET_ROW, updatePlain } from "./write-markets.ts";
import { compareOutcomes, hasUnlistedQuotes, updatePlainOutcomes } from "./write-outcomes.ts";

/** A stored market, with the result schedule that its object does not change. */
export interface PlainCandidate {
  readonly row: ProviderMarket;
  readonly schedule: ScheduledResult;
}

const Plain = z.object({ condition_id: z.string() });

/**
 * Writes those market objects that differ from what is stored in figures only, without the ledger lock: most objects of a
 * walk. What decides is compared under the row locks of the markets, in the transaction that writes.
 * Events are not written here, so they are not locked: one that changes meanwhile is written by the transaction that changes
 * it.
 *
 * @returns the condition ids of the markets that were written; all others are left as they were
 */
export async function writePlainMarkets(
  pool: Pool,
  candidates: readonly PlainCandidate[],
  events: readonly EventRow[],
  readAt: Date,
): Promise<ReadonlySet<string>> {
  if (candidates.length === 0) return new Set();
  const rows = candidates.map(({ row }) => row);
  const conditionIds = array(
    rows.map(({ conditionId }) => conditionId),
    "text",
  );
  const given = recordset("t", candidates, {
    ...Object.fromEntries(
      Object.entries(MARKET_ROW).map(([name, [type, value]]) => [
        name,
        [type, ({ row }: PlainCandidate) => value(row)] as const,
      ]),
    ),
    settled_ms: ["float8", ({ schedule }) => schedule.settledOnMs],
    due_ms: ["float8", ({ schedule }) => schedule.dueAtMs],
  });
  const { same, changed } = updatePlain(sql`plain`, readAt);
  const figures = updatePlainOutcomes(rows, readAt);
  const results = await commitTogether(pool, [
    lockMarkets(sql`${m.conditionId} = any(${conditionIds})`),
    figures.lock,
    // One statement: all of it sees the same rows.
    sql`with events as materialized (
       ${sameEvents(events)}
     ), given as materialized (
       ${compareOutcomes(rows)}
     ), t as materialized (
       select t.*, events.id as event_id, array(select jsonb_array_elements_text(t.tags)) as tag_names
       from ${given} left join events on events.slug = t.event_slug
     ), plain as materialized (
       select ${markets.id} as market_id, t.* from t join ${markets} on ${markets.conditionId} = t.condition_id
       where ${IS_PLAIN}
         and ${epochMs(settledMidnight(markets))} is not distinct from t.settled_ms
         and ${epochMs(markets.resultDueAt)} is not distinct from t.due_ms
         and not exists (select from given where given.condition_id = t.condition_id
           and (given.market_id is distinct from ${markets.id} or not given.is_same))
         and not ${hasUnlistedQuotes(rows)}
     ), same as (
       ${same}
     ), changed as (
       ${changed}
     ), differing as materialized (
       ${figures.select(sql`plain`)}
     ), figures as (
       ${figures.update(sql`differing`)}
     )
     select condition_id from plain`,
  ]);
  return new Set(
    z
      .array(Plain)
      .parse(results.at(-1))
      .map((row) => row.condition_id),
  );
}
