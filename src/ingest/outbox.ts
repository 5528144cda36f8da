import type { Session } from "../db/client.ts";

/** What this product announces to readers of the outbox. */
export interface OutboxEvent {
  readonly type:
    | "large_trade_inserted_v2"
    | "large_trades_inserted"
    | "wallet_grade_changed"
    | "suspicious_trade_flagged"
    | "large_positions_updated"
    | "sharp_money_flow_detected";
  readonly payload: Record<string, unknown>;
}

/** Adds events in the transaction that made them true. They become readable in commit order, see the `events` table. */
export async function publish(session: Session, events: readonly OutboxEvent[]): Promise<void> {
  await session.query(
    `insert into events (epoch, type, payload)
     select (select max(epoch) from outbox_epoch), t.type, t.payload
     from unnest($1::text[], $2::jsonb[]) with ordinality as t(type, payload, ord) order by ord`,
    [events.map((event) => event.type), events.map((event) => JSON.stringify(event.payload))],
  );
}
