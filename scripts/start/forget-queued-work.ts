import pg from "pg";

/** The local queue is in memory: what an earlier start had queued ended with it, and is due again at once instead of after a while. */
export async function forgetQueuedWork(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("delete from work_leases");
    await client.query("update markets set hydrate_enqueued_at = null where hydrated_at is null and hydrate_enqueued_at is not null");
  } finally {
    await client.end();
  }
}
