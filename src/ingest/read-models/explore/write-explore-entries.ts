import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { entry } from "../../../db/aliases.ts";
import type { Session } from "../../../db/client.ts";
import { exploreDue, exploreEntries as entries, exploreRemovals, listGenerations } from "../../../db/schema.ts";
import { alias, array, columnName, columnNames, excluded, run, selectRow, setEach } from "../../../db/sql.ts";
import { computeExploreEntries, VISIBLE_STEP } from "./compute-explore-entries.ts";
import { ExploreCount } from "./explore-state.ts";

const d = alias(exploreDue, "d");

/** Columns of an entry that are compared exactly: a change in any of them makes a new version. */
const EXACT_COLUMNS = [
  entries.eventId,
  entries.marketIds,
  entries.representativeId,
  entries.category,
  entries.hasActive,
  entries.hasClosed,
  entries.volumeUsd,
  entries.largeTradeCount,
  entries.endAt,
  entries.expiresAt,
  entries.createdAt,
  entries.searchText,
];
const CONTENT_COLUMNS = [...EXACT_COLUMNS, entries.trendingScore, entries.discoverScore, entries.scoreComponents];
const COLUMNS = columnNames(entries.id, entries.addedIn, ...CONTENT_COLUMNS);
const REMOVAL_COLUMNS = columnNames(exploreRemovals.removedIn, exploreRemovals.entryIds, exploreRemovals.addedIn);

/** SQL condition: a signal of the stored row `o` and the computed row `c` differs by a visible amount. */
function signalMoved(name: string, step: SQL = VISIBLE_STEP): SQL {
  const signal = sql.raw(`'${name}'`);
  return sql`(
  (o.score_components -> ${signal} = 'null') <> (c.score_components -> ${signal} = 'null')
  or coalesce(abs((o.score_components ->> ${signal})::float8 - (c.score_components ->> ${signal})::float8) >= ${step},
    false))`;
}

// Slightly less than the step that set the next check, so that rounding never skips the change that the check
// is for.
const RECENCY_STEP = sql`0.999 * least(${VISIBLE_STEP}, (o.score_components ->> 'recency')::float8 / 2)`;

const STEPPED_SIGNALS = ["volume", "large_trades", "liquidity", "sharp_money", "missing_price_penalty"];

const exactColumnsOf = (row: "o" | "c"): SQL =>
  sql.join(
    EXACT_COLUMNS.map((column) => sql`${sql.identifier(row)}.${columnName(column)}`),
    sql`, `,
  );

/**
 * SQL condition: the computed row `c` is to be written beside or over the stored row `o`, if there is one.
 */
const differs = (rewrites: boolean): SQL => sql`(o.id is null or ${rewrites}::boolean
  or (${exactColumnsOf("o")}) is distinct from (${exactColumnsOf("c")})
  or abs(o.trending_score - c.trending_score) >= ${VISIBLE_STEP}
    or abs(o.discover_score - c.discover_score) >= ${VISIBLE_STEP}
  or ${sql.join(
    STEPPED_SIGNALS.map((name) => signalMoved(name)),
    sql` or `,
  )}
  or ${signalMoved("recency", RECENCY_STEP)})`;

const Written = z.object({ written: z.number().int(), changes: z.array(ExploreCount) });

/**
 * Computes these entries, writes those that differ from the stored ones as rows of the generation, and sets
 * the next check of each.
 *
 * @param rewrites whether unchanged entries are rewritten too
 * @returns how many rows were added or removed, and the resulting change of the counts
 */
export async function writeExploreEntries(
  session: Session,
  generation: number,
  keys: readonly string[],
  rewrites: boolean,
): Promise<z.output<typeof Written>> {
  const row = await selectRow(
    session,
    sql`with ${computeExploreEntries(generation, keys)}, ${compareEntries(keys, rewrites)},
     ${replaceEntries(generation)}, ${scheduleChecks(keys)}, changes as (
       select category, has_active, has_closed, sum(n)::int as count from (
         select category, has_active, has_closed, 1 as n from changed
         union all select category, has_active, has_closed, -1 from left_behind
       ) both_ways group by category, has_active, has_closed
     )
     select ((select count(*) from changed) + (select count(*) from left_behind where is_gone))::int as written,
       coalesce((select jsonb_agg(to_jsonb(changes)) from changes where count <> 0), '[]') as changes`,
    Written,
  );
  if (row === null) throw new Error("the statement that writes entries returned no row");
  return row;
}

/**
 * Common table expressions: `changed` are the computed entries to write, `left_behind` the stored rows that
 * they replace, and those whose entry `is_gone`.
 */
const compareEntries = (keys: readonly string[], rewrites: boolean): SQL => sql`
  stored as materialized (
    -- Fenced: while the table grows its statistics are stale, and a join would scan all of it.
    select o.* from unnest(${array(keys, "bigint")}) k cross join lateral (
      select * from ${entry} where ${entry.id} = k and ${entry.removedIn} is null offset 0) o
  ), changed as materialized (
    select c.* from computed c left join stored o on o.id = c.id where ${differs(rewrites)}
  ), left_behind as materialized (
    select o.id, o.added_in, o.category, o.has_active, o.has_closed, c.id is null as is_gone
    from stored o left join changed on changed.id = o.id left join computed c on c.id = o.id
      where changed.id is not null or c.id is null
  )`;

/**
 * Common table expressions that end the rows in `left_behind`, delete those of this very generation whose
 * entry is gone, and write `changed`: over a row of this generation, else as a new one. An upsert would write a confirmation
 * of each row, too.
 */
const replaceEntries = (generation: number): SQL => sql`
  ended as materialized (select id, added_in from left_behind where added_in < ${generation}::bigint), removed as (
    update ${entry} set ${columnName(entries.removedIn)} = ${generation}::bigint from ended
    where ${entry.id} = ended.id and ${entry.addedIn} = ended.added_in
  ), noted as (
    insert into ${exploreRemovals} (${REMOVAL_COLUMNS})
    select ${generation}::bigint, array_agg(id), array_agg(added_in) from ended having count(*) > 0
  ), dropped as (
    delete from ${entry} using left_behind o where ${entry.id} = o.id and ${entry.addedIn} = o.added_in
      and o.added_in = ${generation}::bigint and o.is_gone
  ), rewritten as (
    update ${entry} set ${setEach(CONTENT_COLUMNS, (column) => sql`c.${columnName(column)}`)} from changed c
    where ${entry.id} = c.id and ${entry.addedIn} = c.added_in
  ), written as (
    insert into ${entries} (${COLUMNS}) select ${COLUMNS} from changed c
    where not exists (select from stored o where o.id = c.id and o.added_in = c.added_in)
  )`;

/** Common table expressions that set the next check of each computed entry. */
const scheduleChecks = (keys: readonly string[]): SQL => sql`
  put_off as (
    insert into ${exploreDue} (${columnNames(exploreDue.entryKey, exploreDue.dueAt)})
    select id, next_at from computed where next_at is not null
    on conflict (${columnName(exploreDue.entryKey)}) do update set ${setEach([exploreDue.dueAt], excluded)}
      where ${exploreDue.dueAt} <> excluded.${columnName(exploreDue.dueAt)}
  ), settled as (
    delete from ${d} where ${d.entryKey} = any(${array(keys, "bigint")})
      and not exists (select from computed c where c.id = ${d.entryKey} and c.next_at is not null)
  )`;

/** Steps of a build whose ended rows are deleted in one call. */
const STEPS_PRUNED = 20;

/** Deletes rows that no retained generation shows. */
export async function pruneExploreEntries(session: Session): Promise<void> {
  const { id, removedIn, entryIds, addedIn } = exploreRemovals;
  await run(
    session,
    sql`with past as (
       delete from ${exploreRemovals} where ${id} in (
         select ${id} from ${exploreRemovals} where ${removedIn} <= (
           select min(${listGenerations.id}) from ${listGenerations} where ${listGenerations.list} = 'explore')
         order by ${id} limit ${STEPS_PRUNED})
       returning ${entryIds}, ${addedIn}
     ), old as (select r.* from past cross join unnest(past.entry_ids, past.added_in) as r(id, added_in))
     delete from ${entry} using old where ${entry.id} = old.id and ${entry.addedIn} = old.added_in`,
  );
}

/**
 * Notes the removals of all stored rows. For rows that a release before `explore_removals` ended; a row that is noted
 * already is noted again, which changes nothing.
 */
export async function noteStoredRemovals(session: Session): Promise<void> {
  await run(
    session,
    sql`insert into ${exploreRemovals} (${REMOVAL_COLUMNS})
     select ${entry.removedIn}, array_agg(${entry.id}), array_agg(${entry.addedIn}) from ${entry}
     where ${entry.removedIn} is not null group by ${entry.removedIn} order by ${entry.removedIn}`,
  );
}
