import { sql, type SQL } from "drizzle-orm";
import { traders } from "../../db/schema.ts";

/**
 * How a request identifies a trader. With several fields, the first one that matches counts: row id, address,
 * lower-case username.
 */
export interface TraderName {
  readonly id?: number;
  readonly address?: string;
  readonly username?: string;
}

/**
 * Resolves names to row ids, one row per name: `ordinal` from 1, and `trader_id`, null when there is no such
 * trader. A username shared by several traders selects the one first seen.
 */
export const resolveTraderNames = (names: readonly TraderName[]): SQL => sql`
  select a.ordinal, coalesce(
    (select ${traders.id} from ${traders} where ${traders.id} = (a.name ->> 'id')::bigint),
    (select ${traders.id} from ${traders} where ${traders.address} = a.name ->> 'address'),
    -- The fence ("offset 0") keeps the search in the index of names: the least of few ids, not the first of
    -- all traders.
    (select min(id) from (select ${traders.id} from ${traders} where lower(${traders.username}) = a.name ->> 'username'
      offset 0) namesakes)
  ) as trader_id
  from jsonb_array_elements(${JSON.stringify(names)}::jsonb) with ordinality as a(name, ordinal)`;
