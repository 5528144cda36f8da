import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";

/** Runs one statement and parses its rows: the driver's values are untyped, and big integers and decimals arrive as text. */
export async function selectRows<S extends z.ZodType>(db: Database, statement: SQL, row: S): Promise<z.output<S>[]> {
  const { rows } = await db.execute(statement);
  return z.array(row).parse(rows);
}

/** A bigint column: text to bigint. */
export const big = z.string().transform(BigInt);

/** A row id or count: text or number to number. */
export const count = z.coerce.number().int();

/** An instant as ISO text in UTC. */
export const iso = (column: SQL): SQL => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Statements that share a beginning are joined by their conditions; no condition is always true. */
export function allOf(conditions: readonly (SQL | null)[]): SQL {
  const present = conditions.filter((condition) => condition !== null);
  return present.length === 0 ? sql`true` : sql.join(present, sql` and `);
}
