import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { listGenerations } from "../db/schema.ts";
import { integer, isoText } from "../db/sql.ts";

/** The generation of a rebuilt list that a page was read from. */
export const GenerationRow = z.object({
  id: integer,
  built_at: z.string(),
  row_count: integer,
  detail: z.record(z.string(), z.unknown()),
});

export type GenerationRow = z.output<typeof GenerationRow>;

/** The newest generation of a list, or the one in a cursor; no row when it has been deleted. */
export function selectGeneration(list: string, generation: number | null): SQL {
  const which = generation === null ? sql`true` : sql`${listGenerations.id} = ${generation}`;
  return sql`select ${listGenerations.id}, ${isoText(listGenerations.builtAt)} as built_at, ${listGenerations.rowCount},
      ${listGenerations.detail}
    from ${listGenerations} where ${listGenerations.list} = ${list} and ${which}
    order by ${listGenerations.id} desc limit 1`;
}
