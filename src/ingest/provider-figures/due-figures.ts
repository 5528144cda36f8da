import type { Pool } from "@neondatabase/serverless";
import type { IngestMessage } from "../../messages/ingest.ts";

/** A wallet whose first sync has ended is measured so long after it, when its markets have been read and asked for their payouts. */
const FIRST_AFTER_SECONDS = 600;
/** Figures that were queued but not read after this long are queued again: a lost message delays, it loses nothing. */
const REQUEUE_SECONDS = 600;
/** At a turn: a wallet takes three calls of the provider or more, and activity has to be read too. */
const WALLETS_AT_ONCE = 20;
const WALLETS_A_MESSAGE = 5;

/** Takes followed wallets whose figures are due, hot ones first. One whose first sync has ended since becomes due a little later. */
export async function takeDueFigures(pool: Pool, now: Date, most: number = WALLETS_AT_ONCE): Promise<IngestMessage[]> {
  await pool.query(
    `insert into provider_figures (trader_id, due_at)
     select s.trader_id, $1::timestamptz + make_interval(secs => $2)
     from wallet_syncs s join traders t on t.id = s.trader_id and t.tier <> 'cold'
     where s.complete_at is not null and not exists (select from provider_figures f where f.trader_id = s.trader_id)
     on conflict (trader_id) do nothing`,
    [now.toISOString(), FIRST_AFTER_SECONDS],
  );
  const { rows } = await pool.query<{ trader_id: string }>(
    `with due as (
       select f.trader_id from provider_figures f join traders t on t.id = f.trader_id and t.tier <> 'cold'
       where f.due_at <= $1::timestamptz and (f.enqueued_at is null or f.enqueued_at <= $1::timestamptz - make_interval(secs => $2))
       order by t.tier = 'hot' desc, f.due_at, f.trader_id limit $3
       for update of f skip locked
     )
     update provider_figures f set enqueued_at = $1 from due where f.trader_id = due.trader_id returning f.trader_id`,
    [now.toISOString(), REQUEUE_SECONDS, Math.min(WALLETS_AT_ONCE, most)],
  );
  const ids = rows.map((row) => Number(row.trader_id));
  const messages: IngestMessage[] = [];
  for (let start = 0; start < ids.length; start += WALLETS_A_MESSAGE) {
    messages.push({ kind: "measure_wallets", trader_ids: ids.slice(start, start + WALLETS_A_MESSAGE) });
  }
  return messages;
}
