import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Session } from "../../../db/client.ts";
import { exploreChanges, exploreDue, markets } from "../../../db/schema.ts";
import { alias, integer, run, selectRow, selectRows } from "../../../db/sql.ts";
import { exploreKey } from "./explore-key.ts";
import type { ExploreState } from "./explore-state.ts";

/** Cursor of a build over the entries that are due by their time. */
export type DueEntryCursor = NonNullable<ExploreState["due_after"]>;

const Change = z.object({ entry_key: z.string() });
const DueEntry = z.object({ entry_key: z.string(), due_at: z.string() });

/**
 * Takes the entries with changes, then those that are due by their time and follow the cursor. A later
 * statement must read their inputs: a change that this statement does not see yet is taken next time.
 *
 * @param after the end of the last step of this build. Without it each step would scan the dead rows of all
 *   earlier steps
 */
export async function takeDueExploreEntries(
  session: Session,
  after: DueEntryCursor | null,
  limit: number,
): Promise<{ keys: string[]; after: DueEntryCursor | null; more: boolean }> {
  const changes = await selectRows(
    session,
    sql`delete from ${exploreChanges} where ${exploreChanges.id} in (
        select ${exploreChanges.id} from ${exploreChanges} order by ${exploreChanges.id} limit ${limit})
      returning ${exploreChanges.entryKey}`,
    Change,
  );
  const { due_at: afterTime, entry_key: afterKey } = after ?? { due_at: null, entry_key: null };
  const due = await selectRows(
    session,
    sql`select ${exploreDue.entryKey}, ${exploreDue.dueAt}::text as due_at from ${exploreDue}
     where ${exploreDue.dueAt} <= now() and (${exploreDue.dueAt}, ${exploreDue.entryKey})
       > (coalesce(${afterTime}::timestamptz, '-infinity'), coalesce(${afterKey}::bigint, 0))
     order by due_at, entry_key limit ${limit - changes.length}`,
    DueEntry,
  );
  const taken = [...changes, ...due].map((row) => row.entry_key);
  return { keys: [...new Set(taken)], after: due.at(-1) ?? after, more: taken.length === limit };
}

/** Changes dropped in one statement, half a second to a second, and in all. More are taken later, one by one. */
const CHANGES_DROPPED_AT_ONCE = 100_000;
const CHANGES_DROPPED = 1_000_000;

/** Drops the changes so far. Only for a build that reads all markets afterwards. */
export async function dropExploreChanges(session: Session): Promise<void> {
  const { id } = exploreChanges;
  for (let dropped = 0; dropped < CHANGES_DROPPED; dropped += CHANGES_DROPPED_AT_ONCE)
    await run(
      session,
      sql`delete from ${exploreChanges} where ${id} in (
        select ${id} from ${exploreChanges} order by ${id} limit ${CHANGES_DROPPED_AT_ONCE})`,
    );
}

// The columns of a slice have the names of the table.
const slice = alias(markets, "slice");
const earlier = alias(markets, "earlier");

/**
 * The entries of the next markets by id, for a build of all entries. The entry of an event is that of its first market, so that
 * it is computed once.
 *
 * @returns the last market; null when there are no more
 */
export async function listNextExploreEntries(
  session: Session,
  after: number,
  limit: number,
): Promise<{ keys: string[]; last: number | null }> {
  const next = await selectRow(
    session,
    sql`with slice as materialized (
       select ${markets.id}, ${markets.eventId} from ${markets} where ${markets.id} > ${after}
       order by ${markets.id} limit ${limit}
     )
     select coalesce((select array_agg(${exploreKey(slice)}::text) from slice where ${slice.eventId} is null or not exists (
         select from ${earlier} where ${earlier.eventId} = ${slice.eventId} and ${earlier.id} < ${slice.id})), '{}') as keys,
       max(id) as last, count(*) < ${limit} as is_end from slice`,
    z.object({ keys: z.array(z.string()), last: integer.nullable(), is_end: z.boolean() }),
  );
  if (next === null) throw new Error("the query of the next entries returned no row");
  return { keys: next.keys, last: next.is_end ? null : next.last };
}
