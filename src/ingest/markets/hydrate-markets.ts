import type { Pool } from "@neondatabase/serverless";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { m } from "../../db/aliases.ts";
import { sessionOf } from "../../db/client.ts";
import { array, selectRows } from "../../db/sql.ts";
import { chunk } from "../../lib/chunk.ts";
import type { Provider } from "../../platform/provider.ts";
import { applyMarkets } from "./apply-markets.ts";

const CONDITIONS_AT_ONCE = 50;

/**
 * Hydrates the markets of these conditions that are not hydrated yet. A condition that the provider does not
 * know stays unhydrated.
 */
export async function hydrateMarkets(
  pool: Pool,
  provider: Pick<Provider, "findMarkets">,
  conditionIds: readonly string[],
  now: () => Date,
): Promise<void> {
  if (conditionIds.length === 0) return;
  const rows = await selectRows(
    sessionOf(pool),
    sql`select ${m.conditionId} from ${m}
      where ${m.conditionId} = any(${array(conditionIds, "text")}) and ${m.hydratedAt} is not null`,
    z.object({ condition_id: z.string() }),
  );
  const hydrated = new Set(rows.map((row) => row.condition_id));
  const missing = conditionIds.filter((conditionId) => !hydrated.has(conditionId));
  for (const group of chunk(missing, CONDITIONS_AT_ONCE)) {
    const page = await provider.findMarkets(group);
    await applyMarkets(pool, page.rows, page.quarantined, now());
  }
}
