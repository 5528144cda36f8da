import pg from "pg";

/**
 * Makes queued work due again at once: the local queue is in memory, so messages of an earlier start are
 * lost.
 */
export async function requeueLostWork(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("delete from work_leases");
    await client.query(
      "update markets set hydrate_enqueued_at = null where hydrated_at is null and hydrate_enqueued_at is not null",
    );
  } finally {
    await client.end();
  }
}
