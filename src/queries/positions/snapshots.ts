import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { count, iso, selectRows } from "../rows.ts";
import type { PositionFilters } from "./filters.ts";
import { formOf } from "./form-of.ts";
import { totalOf } from "./list-positions.ts";
import { ALL_KNOWN, UNKNOWN_WALLET } from "./named-wallets.ts";
import { CLOCKS, pageTables, PositionClocks, PositionRow } from "./rows.ts";
import { countUnlisted, Unlisted } from "./unlisted.ts";

/** The most a snapshot holds: rows, and bytes of their stored form. */
const MOST_ROWS = 500;
const MOST_BYTES = 2 * 1024 * 1024;
/** How long a snapshot can be read. */
const SNAPSHOT_SECONDS = 300;
/** Expired snapshots of other keys that one request takes away. */
const SWEPT_A_SNAPSHOT = 2;

const Snapshot = z.object({
  as_of: z.string(),
  expires_at: z.string(),
  row_count: count,
  /** Of the whole list when it was frozen, which may have had more rows than a snapshot holds; null when it was too long to count. */
  total: count.nullable(),
  unlisted: Unlisted.nullable(),
  clocks: PositionClocks,
  rows: z.array(PositionRow),
});

/** A frozen list and the rows of one of its pages. */
export type PositionSnapshot = z.output<typeof Snapshot>;

/** Whose snapshot it is, and of what. */
export interface SnapshotKey {
  readonly keyId: string;
  readonly id: string;
  /** The query it answers, as text. */
  readonly filters: string;
}

/** The page's columns of a stored snapshot, from row `offset` on. */
const pageOf = (offset: number, limit: number) => sql`
  ${iso(sql`as_of`)} as as_of, ${iso(sql`expires_at`)} as expires_at, jsonb_array_length(rows -> 'entries') as row_count, rows -> 'total' as total, rows -> 'unlisted' as unlisted,
  rows -> 'clocks' as clocks, (
    select coalesce(jsonb_agg((rows -> 'holders' -> (entry ->> 'trader_id')) || entry), '[]')
    from jsonb_path_query(rows, '$.entries[$from to $to]', jsonb_build_object('from', ${offset}::int, 'to', ${offset + limit - 1}::int)) entry
  ) as rows`;

/**
 * Freezes the list of named wallets for a key, in place of its last snapshot, and gives the first page: reading and keeping are one statement, so
 * that the rows are of one moment and of several requests at once the last stands, whole.
 *
 * Expired snapshots of others go along; one that another statement has locked is passed over, so that two never wait for each other.
 *
 * @returns which of the names nobody has (counted from 0), when one is; nothing is frozen then
 */
export async function freezePositions(
  db: Database,
  key: SnapshotKey,
  filters: PositionFilters,
  limit: number,
  now: Date,
): Promise<{ unknownWallet: number } | PositionSnapshot> {
  const form = formOf(filters);
  const at = now.toISOString();
  const expiresAt = new Date(now.getTime() + SNAPSHOT_SECONDS * 1000).toISOString();
  const rows = await selectRows(
    db,
    sql`with ${pageTables(form, null, MOST_ROWS, now)},
      sized as (select n, entry, sum(octet_length(entry::text)) over (order by n) as bytes from entries),
      frozen as (
        insert into position_snapshots (key_id, id, filters, as_of, expires_at, rows)
        select ${key.keyId}, ${key.id}, ${key.filters}, ${at}, ${expiresAt}, json_build_object('clocks', ${CLOCKS}, 'total', ${totalOf(form)},
          'unlisted', ${countUnlisted(form)},
          'holders', (select coalesce(json_object_agg(trader_id, holder), '{}') from holders),
          'entries', (select coalesce(json_agg(entry order by n), '[]') from sized where bytes <= ${MOST_BYTES}))::jsonb
        where ${ALL_KNOWN}
        on conflict (key_id) do update set
          id = excluded.id, filters = excluded.filters, as_of = excluded.as_of, expires_at = excluded.expires_at, rows = excluded.rows
        returning as_of, expires_at, rows
      ), swept as (
        delete from position_snapshots where ctid = any (array(
          select ctid from position_snapshots where expires_at <= ${at} and key_id <> ${key.keyId} and exists (table frozen)
          limit ${SWEPT_A_SNAPSHOT} for update skip locked))
      )
      select ${UNKNOWN_WALLET} as unknown_wallet, (select to_jsonb(page) from (select ${pageOf(0, limit)} from frozen) page) as snapshot`,
    z.object({ unknown_wallet: count.nullable(), snapshot: Snapshot.nullable() }),
  );
  const { unknown_wallet: unknown = null, snapshot = null } = rows[0] ?? {};
  if (snapshot !== null) return snapshot;
  if (unknown === null) throw new Error("a snapshot was neither stored nor refused");
  return { unknownWallet: unknown };
}

/** A further page of a key's snapshot; null once it has expired or another has taken its place. */
export async function findPositionSnapshot(
  db: Database,
  { keyId, id, filters }: SnapshotKey,
  page: { offset: number; limit: number },
  now: Date,
): Promise<PositionSnapshot | null> {
  const rows = await selectRows(
    db,
    sql`select ${pageOf(page.offset, page.limit)} from position_snapshots
      where key_id = ${keyId} and id = ${id} and filters = ${filters} and expires_at > ${now.toISOString()}`,
    Snapshot,
  );
  return rows[0] ?? null;
}
