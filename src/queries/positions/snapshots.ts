import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { positionSnapshots as stored } from "../../db/schema.ts";
import { alias, columnNames, excluded, integer, isoText, selectRow, setEach } from "../../db/sql.ts";
import type { PositionFilters } from "./filters.ts";
import { selectTotal } from "./list-positions.ts";
import { listQueryOf } from "./list-query-of.ts";
import { ARE_ALL_TRADERS_KNOWN, FIRST_UNKNOWN_TRADER } from "./named-traders.ts";
import { CLOCKS, pageTables, PositionClocks, PositionRow } from "./position-rows.ts";
import { countUnlisted, Unlisted } from "./unlisted.ts";

/** The limits of a snapshot: rows, and bytes of their stored form. */
const MAX_ROWS = 500;
const MAX_BYTES = 2 * 1024 * 1024;
/** How long a snapshot can be read. */
const SNAPSHOT_SECONDS = 300;
/** How many expired snapshots of other keys one request deletes. */
const EXPIRED_PER_SNAPSHOT = 2;

const Snapshot = z.object({
  as_of: z.string(),
  expires_at: z.string(),
  row_count: integer,
  /**
   * Total of the whole list at snapshot time, which may exceed the rows of the snapshot; null when too long
   * to count.
   */
  total: integer.nullable(),
  unlisted: Unlisted.nullable(),
  clocks: PositionClocks,
  rows: z.array(PositionRow),
});

/** A snapshot of a list, with the rows of one of its pages. */
export type PositionSnapshot = z.output<typeof Snapshot>;

/** Identifies a snapshot: its API key, its id and its query. */
export interface SnapshotKey {
  readonly keyId: string;
  readonly id: string;
  /** The query of the list, as text. */
  readonly filters: string;
}

/** The columns that a key's next snapshot replaces, in the order of the insert. */
const STORED_COLUMNS = [stored.id, stored.filters, stored.asOf, stored.expiresAt, stored.rows];

/** A stored snapshot: a row of the table, or the row that a statement has just stored. */
const frozen = alias(stored, "frozen");

/** The columns of one page of the snapshot, from row `offset` on. */
const pageColumns = (offset: number, limit: number): SQL => sql`
  ${isoText(frozen.asOf)} as as_of, ${isoText(frozen.expiresAt)} as expires_at,
  jsonb_array_length(${frozen.rows} -> 'entries') as row_count, ${frozen.rows} -> 'total' as total,
  ${frozen.rows} -> 'unlisted' as unlisted, ${frozen.rows} -> 'clocks' as clocks, (
    select coalesce(jsonb_agg((${frozen.rows} -> 'holders' -> (entry ->> 'trader_id')) || entry), '[]')
    from jsonb_path_query(${frozen.rows}, '$.entries[$from to $to]', jsonb_build_object('from', ${offset}::int,
      'to', ${offset + limit - 1}::int)) entry
  ) as rows`;

/**
 * Stores a snapshot of a list of named traders for an API key, replacing the key's last one, and returns its
 * first page. One statement reads and stores, so that all rows are of one point in time, and of several
 * concurrent requests the last one's snapshot is stored completely.
 *
 * Expired snapshots of other keys are deleted too; those locked by another statement are skipped, so that two
 * requests never wait for each other.
 *
 * @returns the index (from 0) of the first name without a trader, if there is one; nothing is stored then
 */
export async function createPositionSnapshot(
  db: Database,
  key: SnapshotKey,
  filters: PositionFilters,
  limit: number,
  now: Date,
): Promise<{ unknownTraderIndex: number } | PositionSnapshot> {
  const query = listQueryOf(filters);
  const at = now.toISOString();
  const expiresAt = new Date(now.getTime() + SNAPSHOT_SECONDS * 1000).toISOString();
  const row = await selectRow(
    db,
    sql`with ${pageTables(query, null, MAX_ROWS, now)},
      sized as (select n, entry, sum(octet_length(entry::text)) over (order by n) as bytes from entries),
      frozen as (
        insert into ${stored} (${columnNames(stored.keyId, ...STORED_COLUMNS)})
        select ${key.keyId}, ${key.id}, ${key.filters}, ${at}, ${expiresAt}, json_build_object('clocks', ${CLOCKS},
          'total', ${selectTotal(query)},
          'unlisted', ${countUnlisted(query)},
          'holders', (select coalesce(json_object_agg(trader_id, holder), '{}') from holders),
          'entries', (select coalesce(json_agg(entry order by n), '[]') from sized where bytes <= ${MAX_BYTES}))::jsonb
        where ${ARE_ALL_TRADERS_KNOWN}
        on conflict (${columnNames(stored.keyId)}) do update set ${setEach(STORED_COLUMNS, excluded)}
        returning ${columnNames(stored.asOf, stored.expiresAt, stored.rows)}
      ), swept as (
        delete from ${stored} where ctid = any (array(
          select ctid from ${stored} where ${stored.expiresAt} <= ${at} and ${stored.keyId} <> ${key.keyId}
            and exists (table frozen)
          limit ${EXPIRED_PER_SNAPSHOT} for update skip locked))
      )
      select ${FIRST_UNKNOWN_TRADER} as unknown_trader, (select to_jsonb(page) from (select ${pageColumns(0, limit)}
        from frozen) page) as snapshot`,
    z.object({ unknown_trader: integer.nullable(), snapshot: Snapshot.nullable() }),
  );
  const { unknown_trader: unknown = null, snapshot = null } = row ?? {};
  if (snapshot !== null) return snapshot;
  if (unknown === null) throw new Error("the statement neither stored a snapshot nor reported an unknown trader");
  return { unknownTraderIndex: unknown };
}

/** A further page of a key's snapshot; null once it has expired or has been replaced. */
export async function findPositionSnapshot(
  db: Database,
  { keyId, id, filters }: SnapshotKey,
  page: { offset: number; limit: number },
  now: Date,
): Promise<PositionSnapshot | null> {
  return selectRow(
    db,
    sql`select ${pageColumns(page.offset, page.limit)} from ${frozen}
      where ${frozen.keyId} = ${keyId} and ${frozen.id} = ${id} and ${frozen.filters} = ${filters}
        and ${frozen.expiresAt} > ${now.toISOString()}`,
    Snapshot,
  );
}
