import { inArray, sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { edgeEntries } from "../../db/schema.ts";
import { alias, allOf, integer, isoText, selectRow, timestamp } from "../../db/sql.ts";
import {
  EDGE_LISTS,
  EDGE_SPORTS,
  StoredEdgeSnapshot,
  StoredPile,
  type EdgeCohort,
} from "../../domain/edge/edge-snapshot.ts";
import type { Grade } from "../../domain/traders/grades.ts";
import { GenerationRow, selectGeneration } from "../list-generations.ts";
import type { PageRequest } from "../page-request.ts";

const e = alias(edgeEntries, "e");

const EdgeEntryRow = z.object({
  rank: integer,
  condition_id: z.string(),
  sport: z.enum(EDGE_SPORTS),
  kickoff_at: z.string(),
  pile: StoredPile,
});

export type EdgeEntryRow = z.output<typeof EdgeEntryRow>;

/** A snapshot of the board, with the time of its data. */
export interface EdgeSnapshot extends StoredEdgeSnapshot {
  readonly generation: number;
  /** ISO. */
  readonly builtAt: string;
}

export interface EdgePage {
  readonly snapshot: EdgeSnapshot;
  /** One more than the limit when there is a next page. */
  readonly rows: readonly EdgeEntryRow[];
  /** Rows that match, on all pages. */
  readonly total: number;
  /** Number of those rows by the status of their category skill. */
  readonly skillStatuses: Readonly<Record<string, number>>;
}

/** The last row of a page, and the snapshot that all pages are read from. */
export interface EdgeCursor {
  readonly generation: number;
  readonly rank: number;
}

/** Filters of signals. Ranks count the rows that pass them. */
export interface SignalFilters {
  /** A sport; null accepts all. */
  readonly category: string | null;
  /** The kickoff is at most this long after the snapshot. */
  readonly horizonHours: number;
  /** Grades of which the best of the pile must be one. */
  readonly grades: readonly Grade[];
}

const toSnapshot = ({ id, built_at, detail }: z.output<typeof GenerationRow>): EdgeSnapshot => ({
  ...StoredEdgeSnapshot.parse(detail),
  generation: id,
  builtAt: built_at,
});

const PageRow = z.object({
  snapshot: GenerationRow,
  total: integer,
  statuses: z.record(z.string(), integer),
  rows: z.array(EdgeEntryRow),
});

interface EdgeSelection {
  readonly list: keyof typeof EDGE_LISTS;
  readonly cohort: EdgeCohort;
  /** Rows that are ranked, beside the cohort. */
  readonly ranked: SQL;
  /** Rows of those that are listed. */
  readonly listed: SQL;
}

/** @returns null when the snapshot does not exist (any more) */
async function selectPage(
  db: Database,
  { list, cohort, ranked, listed }: EdgeSelection,
  { cursor, limit }: PageRequest<EdgeCursor>,
): Promise<EdgePage | null> {
  const row = await selectRow(
    db,
    sql`with g as materialized (${selectGeneration(EDGE_LISTS[list], cursor?.generation ?? null)}),
      ranked as (
        select row_number() over (order by ${e.rank}) as rank, ${e.conditionId}, ${e.sport}, ${e.kickoffAt}, ${e.pile}
        from ${e} where ${e.generation} = (select id from g) and ${e.cohort} = ${cohort} and ${ranked}
      ), listed as materialized (
        select * from ranked e where ${listed}
      ), page as (
        select * from listed e where e.rank > ${cursor?.rank ?? 0} order by e.rank limit ${limit + 1}
      )
      select to_jsonb(s) as snapshot, (select count(*) from listed) as total,
        (select coalesce(jsonb_object_agg(counted.status, counted.rows), '{}') from (
          select ${e.pile} -> 'skill' ->> 'status' as status, count(*) as rows from listed e
          where ${e.pile} -> 'skill' ->> 'status' is not null group by 1) counted) as statuses,
        (select coalesce(jsonb_agg(jsonb_build_object('rank', e.rank, 'condition_id', ${e.conditionId},
            'sport', ${e.sport}, 'kickoff_at', ${isoText(e.kickoffAt)}, 'pile', ${e.pile}) order by e.rank), '[]')
          from page e) as rows
      from g s`,
    PageRow,
  );
  if (row === null) return null;
  return { snapshot: toSnapshot(row.snapshot), rows: row.rows, total: row.total, skillStatuses: row.statuses };
}

const isSport = (category: string | null): SQL | null => (category === null ? null : sql`${e.sport} = ${category}`);

/** The game has not begun. */
const isUpcoming = (now: Date): SQL => sql`${e.kickoffAt} > ${timestamp(now)}`;

/**
 * Signals of a snapshot, the strongest first. Games that have begun since the snapshot are left out, and keep their
 * rank.
 *
 * @returns null when the snapshot does not exist (any more)
 */
export const listSignals = (
  db: Database,
  { category, horizonHours, grades }: SignalFilters,
  page: PageRequest<EdgeCursor>,
  now: Date,
): Promise<EdgePage | null> =>
  selectPage(
    db,
    {
      list: "pre_game",
      cohort: "signal",
      ranked: allOf([
        isSport(category),
        inArray(e.topGrade, grades),
        sql`${e.kickoffAt} <= (select built_at::timestamptz from g) + make_interval(hours => ${horizonHours})`,
      ]),
      listed: isUpcoming(now),
    },
    page,
  );

export type ObservationCohort = "wider_holder" | "in_play" | "emerging_pile";

/**
 * Observations of a cohort, the strongest first, ranked within the whole cohort. Before kickoff, games that have begun
 * since the snapshot are left out.
 *
 * @param category a sport; null accepts all
 * @returns null when the snapshot does not exist (any more)
 */
export const listObservations = (
  db: Database,
  { cohort, category }: { readonly cohort: ObservationCohort; readonly category: string | null },
  page: PageRequest<EdgeCursor>,
  now: Date,
): Promise<EdgePage | null> =>
  selectPage(
    db,
    {
      list: cohort === "in_play" ? "in_play" : "pre_game",
      cohort: cohort === "in_play" ? "in_play" : "wider_holder",
      ranked: cohort === "emerging_pile" ? sql`${e.isEmerging}` : sql`true`,
      listed: allOf([isSport(category), cohort === "in_play" ? null : isUpcoming(now)]),
    },
    page,
  );

const Counts = z.array(
  z.object({
    cohort: z.enum(["signal", "wider_holder", "emerging_pile", "in_play"]),
    sport: z.enum(EDGE_SPORTS),
    rows: integer,
  }),
);

const BoardRow = z.object({ pre_game: GenerationRow.nullable(), in_play: GenerationRow.nullable(), counts: Counts });

/** The newest snapshot of both kinds, with the number of rows by cohort and sport. */
export interface EdgeBoard {
  readonly preGame: EdgeSnapshot | null;
  readonly inPlay: EdgeSnapshot | null;
  readonly counts: z.output<typeof Counts>;
}

export async function readBoard(db: Database, now: Date): Promise<EdgeBoard> {
  const row = await selectRow(
    db,
    sql`with pre as materialized (${selectGeneration(EDGE_LISTS.pre_game, null)}),
      live as materialized (${selectGeneration(EDGE_LISTS.in_play, null)}),
      shown as (
        select ${e.cohort}, ${e.sport}, ${e.isEmerging} from ${e}
        where ${e.generation} = (select id from pre) and ${isUpcoming(now)}
        union all
        select ${e.cohort}, ${e.sport}, false from ${e} where ${e.generation} = (select id from live)
      ), counted as (
        select cohort, sport, count(*) as rows from (
          select cohort, sport from shown union all select 'emerging_pile', sport from shown where is_emerging
        ) c group by cohort, sport
      )
      select (select to_jsonb(pre) from pre) as pre_game, (select to_jsonb(live) from live) as in_play,
        coalesce((select jsonb_agg(to_jsonb(counted)) from counted), '[]') as counts`,
    BoardRow,
  );
  if (row === null) throw new Error("the statement that reads the board returned no row");
  return {
    preGame: row.pre_game === null ? null : toSnapshot(row.pre_game),
    inPlay: row.in_play === null ? null : toSnapshot(row.in_play),
    counts: row.counts,
  };
}
