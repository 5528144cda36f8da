import type { Pool } from "@neondatabase/serverless";
import { inTransaction } from "../db/client.ts";
import type { Provider } from "../ports/provider.ts";
import { applyMarkets } from "./apply-markets.ts";

const CONDITIONS_AT_ONCE = 50;

/** Reads the markets of these conditions in full, where that has not been done. What the provider does not know stays unknown. */
export async function hydrateMarkets(
  pool: Pool,
  provider: Pick<Provider, "findMarkets">,
  conditionIds: readonly string[],
  now: () => Date,
): Promise<void> {
  if (conditionIds.length === 0) return;
  const { rows } = await pool.query<{ condition_id: string }>(
    `select condition_id from markets where condition_id = any($1::text[]) and hydrated_at is not null`,
    [conditionIds],
  );
  const hydrated = new Set(rows.map((row) => row.condition_id));
  const missing = conditionIds.filter((conditionId) => !hydrated.has(conditionId));
  for (let start = 0; start < missing.length; start += CONDITIONS_AT_ONCE) {
    const page = await provider.findMarkets(missing.slice(start, start + CONDITIONS_AT_ONCE));
    await inTransaction(pool, (session) => applyMarkets(session, page.rows, page.misfits, now()));
  }
}
