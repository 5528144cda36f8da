import type { Pool } from "@neondatabase/serverless";

/**
 * Deletes everything that ingest has stored. Much faster than a new database, for tests that compare many
 * runs.
 */
export async function emptyIngest(pool: Pool): Promise<void> {
  await pool.query(
    `delete from large_trades; delete from events; delete from ledger_entries; delete from trader_activity; delete from positions;
     delete from trader_totals; delete from trader_days; delete from trader_syncs; delete from combo_events;
     delete from combo_legs; delete from combos; delete from outcomes; delete from markets; delete from provider_events;
     delete from traders; delete from quarantined_records; delete from ingest_checkpoints;
      delete from work_leases; delete from explore_due; delete from explore_changes; delete from explore_removals;
      delete from chain_pending_fills; delete from fill_logs`,
  );
}
