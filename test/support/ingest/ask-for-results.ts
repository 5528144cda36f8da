import type { Pool } from "@neondatabase/serverless";
import { inTransaction } from "../../../src/db/client.ts";
import { applyResolutions } from "../../../src/ingest/apply-resolutions.ts";
import type { Provider } from "../../../src/ports/provider.ts";

/** Asks the provider for the results of at most 20 conditions now, due or not, and applies its answer. */
export async function askForResults(pool: Pool, provider: Provider, conditionIds: readonly string[], now: Date): Promise<void> {
  const page = await provider.findResolutions(conditionIds);
  await inTransaction(pool, (session) => applyResolutions(session, conditionIds, page.rows, page.misfits, now));
}
