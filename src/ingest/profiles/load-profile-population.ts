import { sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { z } from "zod";
import type { Session } from "../../db/client.ts";
import { traderProfiles } from "../../db/schema.ts";
import { selectRow } from "../../db/sql.ts";
import type { ProfilePopulation } from "./compute-profile.ts";

const PopulationRow = z.object({
  sharpe30d: z.array(z.number()),
  profitFactor: z.array(z.number()),
  edgeConsistency: z.array(z.number()),
  forms: z.array(z.number()),
}) satisfies z.ZodType<ProfilePopulation>;

/**
 * Loads the measures of all stored profiles, each ascending. Profiles without a value are left out of that
 * measure.
 */
export async function loadProfilePopulation(session: Session): Promise<ProfilePopulation> {
  const { sharpe30d, profitFactor, edgeConsistency, form } = traderProfiles;
  const row = await selectRow(
    session,
    sql`select ${ascending(sharpe30d)} as "sharpe30d", ${ascending(profitFactor)} as "profitFactor",
       ${ascending(edgeConsistency)} as "edgeConsistency", ${ascending(form)} as "forms"
     from ${traderProfiles}`,
    PopulationRow,
  );
  return row ?? { sharpe30d: [], profitFactor: [], edgeConsistency: [], forms: [] };
}

const ascending = (column: AnyPgColumn): SQL =>
  sql`coalesce(array_agg(${column} order by ${column}) filter (where ${column} is not null), '{}')`;
