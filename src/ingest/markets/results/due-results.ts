import type { Pool } from "@neondatabase/serverless";
import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { m, o } from "../../../db/aliases.ts";
import { sessionOf } from "../../../db/client.ts";
import { markets } from "../../../db/schema.ts";
import { array, columnName, run, selectRows } from "../../../db/sql.ts";

/**
 * Markets per run: eight calls for the unresolved and two for the settled, out of the 200 such calls in ten
 * seconds that this process may make.
 */
export const UNRESOLVED_PER_RUN = 160;
const SETTLED_PER_RUN = 40;
/**
 * Minimum age of a market object before it is read again. The provider's edge caches it for five minutes, but
 * by URL, and a URL with other conditions is another cache key.
 */
const REHYDRATE_SECONDS = 60;

export interface DueResult {
  readonly id: string;
  readonly conditionId: string;
  /**
   * Whether its market object may have changed: a market closes at about the time of its result, and a
   * settled market may be described differently.
   */
  readonly shouldRehydrate: boolean;
  /** Tokens whose books should be read: the market has ended and is not known to be closed. */
  readonly tokenIds: readonly string[];
}

const DueRow = z.object({
  id: z.string(),
  condition_id: z.string(),
  redescribed: z.boolean(),
  token_ids: z.array(z.string()),
});

/** The markets whose results are due: unresolved ones first, then longest due first. */
export async function listDueResults(pool: Pool, now: Date): Promise<readonly DueResult[]> {
  const at = now.toISOString();
  // Two selects, because each state has its own partial index.
  const due = (state: SQL, limit: number) =>
    sql`(select * from ${markets} where ${markets.payoutsPpm} is ${state} and ${markets.resultDueAt} <= ${at}
      order by ${markets.resultDueAt} limit ${sql.raw(String(limit))})`;
  const rows = await selectRows(
    sessionOf(pool),
    sql`select ${m.id}, ${m.conditionId}, not ${m.closed} or ${m.payoutsPpm} is not null as redescribed,
       case when ${m.payoutsPpm} is null and not ${m.closed} and ${m.endAt} <= ${at}
         then array(select ${o.tokenId} from ${o} where ${o.marketId} = ${m.id} and ${o.outcomeIndex} is not null
           order by ${o.id}) else '{}' end as token_ids
     from (${due(sql`null`, UNRESOLVED_PER_RUN)} union all ${due(sql`not null`, SETTLED_PER_RUN)}) m
       order by ${m.payoutsPpm} is not null, ${m.resultDueAt}`,
    DueRow,
  );
  return rows.map((row) => ({
    id: row.id,
    conditionId: row.condition_id,
    shouldRehydrate: row.redescribed,
    tokenIds: row.token_ids,
  }));
}

/** Postpones markets whose results could not be read, so that they do not block the others. */
export async function postponeResults(pool: Pool, conditionIds: readonly string[], until: Date): Promise<void> {
  await run(
    sessionOf(pool),
    sql`with locked as (
       ${lockedIds(sql`${markets.conditionId} = any(${array(conditionIds, "text")})`)}
     )
     update ${m} set ${columnName(m.resultDueAt)} = ${until.toISOString()} from locked where ${m.id} = locked.id`,
  );
}

/**
 * Claims those of the markets whose object was not requested in the last minute.
 * @returns their condition ids
 */
export async function claimMarketsToRehydrate(pool: Pool, due: readonly DueResult[]): Promise<string[]> {
  const ids = due.map(({ id }) => id);
  const rows = await selectRows(
    sessionOf(pool),
    sql`with locked as (
       ${lockedIds(sql`${markets.id} = any(${array(ids, "bigint")}) and (${markets.hydrateEnqueuedAt} is null
       or ${markets.hydrateEnqueuedAt} < now() - make_interval(secs => ${sql.raw(String(REHYDRATE_SECONDS))}))`)}
     )
     update ${m} set ${columnName(m.hydrateEnqueuedAt)} = now() from locked where ${m.id} = locked.id
     returning ${m.conditionId}`,
    z.object({ condition_id: z.string() }),
  );
  return rows.map((row) => row.condition_id);
}

/** The markets of a condition, locked in the order of ../../ledger/row-locks.ts, for the update of the same statement. */
const lockedIds = (condition: SQL): SQL =>
  sql`select ${markets.id} from ${markets} where ${condition} order by ${markets.id} for no key update`;
