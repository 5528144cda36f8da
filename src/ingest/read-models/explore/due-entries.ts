import type { Session } from "../../../db/client.ts";
import { exploreKey } from "./explore-key.ts";
import type { ExploreState } from "./explore-state.ts";

/** Markets that are marked at once when everything is. */
const MARKETS_AT_ONCE = 50_000;

/** How far a build has come with the entries that are due by their time. */
export type DuePlace = NonNullable<ExploreState["due_after"]>;

/**
 * Takes entries that something has changed for, then those that are due by their time and follow the place. What they rest on has to be read by
 * a later statement: a change that this one does not see yet is taken next time.
 *
 * @param after where the last step of this build ended: without it each step would pass the dead rows of all before
 */
export async function takeDueEntries(
  session: Session,
  after: DuePlace | null,
  limit: number,
): Promise<{ keys: string[]; after: DuePlace | null; more: boolean }> {
  const { rows: changes } = await session.query<{ entry_key: string }>(
    `delete from explore_changes where id in (select id from explore_changes order by id limit $1) returning entry_key`,
    [limit],
  );
  const { rows: due } = await session.query<{ entry_key: string; due_at: string }>(
    `select entry_key, due_at::text as due_at from explore_due
     where due_at <= now() and (due_at, entry_key) > (coalesce($2::timestamptz, '-infinity'), coalesce($3::bigint, 0))
     order by due_at, entry_key limit $1`,
    [limit - changes.length, after?.due_at ?? null, after?.entry_key ?? null],
  );
  const taken = [...changes, ...due].map((row) => row.entry_key);
  return { keys: [...new Set(taken)], after: due.at(-1) ?? after, more: taken.length === limit };
}

/** Makes the entries of further markets due. @returns the last market marked; null when there are no more */
export async function markAllEntries(session: Session, after: number): Promise<number | null> {
  const { rows } = await session.query<{ last: string | null; is_end: boolean }>(
    `with slice as materialized (select id, event_id from markets where id > $1 order by id limit $2), marked as (
       insert into explore_due (entry_key, due_at) select distinct ${exploreKey("slice")}, '-infinity'::timestamptz from slice
       on conflict (entry_key) do update set due_at = excluded.due_at
     )
     select max(id) as last, count(*) < $2 as is_end from slice`,
    [after, MARKETS_AT_ONCE],
  );
  const [row] = rows;
  return row === undefined || row.is_end || row.last === null ? null : Number(row.last);
}
