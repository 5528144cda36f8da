import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Session } from "../../../db/client.ts";
import { exploreChanges, exploreDue, markets } from "../../../db/schema.ts";
import { alias, columnName, columnNames, excluded, integer, selectRow, selectRows, setEach } from "../../../db/sql.ts";
import { exploreKey } from "./explore-key.ts";
import type { ExploreState } from "./explore-state.ts";

/** Markets that one step marks when all entries are to be rewritten. */
const MARKETS_AT_ONCE = 50_000;

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

// The columns of a slice have the names of the table.
const slice = alias(markets, "slice");

/**
 * Makes the entries of the next markets due.
 * @returns the last market marked; null when there are no more
 */
export async function markAllExploreEntries(session: Session, after: number): Promise<number | null> {
  const marked = await selectRow(
    session,
    sql`with slice as materialized (
       select ${markets.id}, ${markets.eventId} from ${markets} where ${markets.id} > ${after}
       order by ${markets.id} limit ${MARKETS_AT_ONCE}
     ), marked as (
       insert into ${exploreDue} (${columnNames(exploreDue.entryKey, exploreDue.dueAt)})
       select distinct ${exploreKey(slice)}, '-infinity'::timestamptz from slice
       on conflict (${columnName(exploreDue.entryKey)}) do update set ${setEach([exploreDue.dueAt], excluded)}
     )
     select max(id) as last, count(*) < ${MARKETS_AT_ONCE} as is_end from slice`,
    z.object({ last: integer.nullable(), is_end: z.boolean() }),
  );
  return marked === null || marked.is_end ? null : marked.last;
}
