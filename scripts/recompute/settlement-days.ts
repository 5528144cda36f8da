import type pg from "pg";
import { lockLedger } from "../../src/ingest/ledger/record-entries.ts";
import type { Difference } from "./figures.ts";

/**
 * Markets whose day of settlement does not follow from their resolution. Where the provider gave no time, any day will do: it is the one
 * on which the payouts were read.
 */
const WRONG = `
  select id, condition_id, settled_on as stored,
    case
      when payouts_ppm is null then null
      else coalesce((resolved_at at time zone 'UTC')::date, settled_on, (resolution_checked_at at time zone 'UTC')::date,
        (now() at time zone 'UTC')::date) end as computed
  from markets`;

export async function compareSettlementDays(client: pg.ClientBase): Promise<Difference[]> {
  const { rows } = await client.query<{ condition_id: string; stored: string | null; computed: string | null }>(
    `select condition_id, stored::text, computed::text from (${WRONG}) m where stored is distinct from computed order by id`,
  );
  return rows.map(({ condition_id, stored, computed }) => ({
    table: "markets" as const,
    key: `condition_id ${condition_id}`,
    field: "settled_on",
    stored,
    computed,
  }));
}

export async function rewriteSettlementDays(client: pg.ClientBase): Promise<void> {
  await client.query("begin");
  await lockLedger(client);
  await client.query(
    `update markets m set settled_on = w.computed from (${WRONG}) w where w.id = m.id and w.stored is distinct from w.computed`,
  );
  await client.query("commit");
}
