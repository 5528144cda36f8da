import type { Pool } from "@neondatabase/serverless";

/** Takes out everything ingest has stored. Much quicker than another database, for tests that compare many. */
export async function emptyIngest(pool: Pool): Promise<void> {
  await pool.query(
    `delete from large_trades; delete from events; delete from ledger_entries; delete from wallet_activity; delete from positions;
     delete from trader_totals; delete from trader_days; delete from wallet_syncs; delete from outcomes; delete from markets; delete from provider_events;
     delete from traders; delete from set_aside_records; delete from ingest_checkpoints;
     delete from work_leases; delete from explore_due; delete from explore_changes`,
  );
}
