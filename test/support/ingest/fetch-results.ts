import type { Pool } from "@neondatabase/serverless";
import { inTransaction } from "../../../src/db/client.ts";
import { applyResolutions } from "../../../src/ingest/markets/apply-resolutions.ts";
import type { Provider } from "../../../src/platform/provider.ts";

/** Requests the results of at most 20 conditions from the provider now, due or not, and applies them. */
export async function fetchResults(
  pool: Pool,
  provider: Provider,
  conditionIds: readonly string[],
  now: Date,
): Promise<void> {
  const page = await provider.findResolutions(conditionIds);
  await inTransaction(pool, (session) => applyResolutions(session, conditionIds, page.rows, page.quarantined, now));
}
