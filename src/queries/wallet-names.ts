import { sql, type SQL } from "drizzle-orm";

/** How a request names a wallet. With several forms the first that somebody has counts: row id, address, username in lower case. */
export interface WalletName {
  readonly id?: number;
  readonly address?: string;
  readonly username?: string;
}

/**
 * The row ids that names stand for, one row a name: `place` from 1, and `trader_id`, null where nobody has the name. A username shared by several
 * is that of the first seen.
 */
export const resolveWalletNames = (names: readonly WalletName[]): SQL => sql`
  select a.place, coalesce(
    (select id from traders where id = (a.name ->> 'id')::bigint),
    (select id from traders where address = a.name ->> 'address'),
    -- The fence keeps the search in the index of names: the least of few ids, not the first of all.
    (select min(id) from (select id from traders where lower(username) = a.name ->> 'username' offset 0) namesakes)
  ) as trader_id
  from jsonb_array_elements(${JSON.stringify(names)}::jsonb) with ordinality as a(name, place)`;
