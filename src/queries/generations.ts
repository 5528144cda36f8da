import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { count, iso } from "./rows.ts";

/** The generation of a rebuilt list that a page was read from. */
export const GenerationRow = z.object({
  id: count,
  built_at: z.string(),
  row_count: count,
  detail: z.record(z.string(), z.unknown()),
});

export type GenerationRow = z.output<typeof GenerationRow>;

/** The newest generation of a list, or the one a cursor names; no row when it has been dropped. */
export function selectGeneration(list: string, generation: number | null): SQL {
  const which = generation === null ? sql`true` : sql`id = ${generation}`;
  return sql`select id, ${iso(sql`built_at`)} as built_at, row_count, detail from list_generations
    where list = ${list} and ${which} order by id desc limit 1`;
}
