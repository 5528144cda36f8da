import type { z } from "zod";
import type { Session } from "../db/client.ts";
import type { EventType } from "../domain/event-catalogue.ts";
import { EVENT_PAYLOADS } from "../messages/event-data.ts";

/** What this product announces to readers of the outbox. */
export type OutboxEvent = { [T in EventType]: Announcement<T> }[EventType];

interface Announcement<T extends EventType> {
  readonly type: T;
  readonly payload: z.input<(typeof EVENT_PAYLOADS)[T]>;
  /** Whose event it is; left out on those that are everybody's. */
  readonly accountId?: number;
}

/**
 * Adds events in the transaction that made them true. They become readable in commit order, see the `events` table.
 *
 * @throws ZodError for a payload that is not what its readers are promised
 */
export async function publish(session: Session, events: readonly OutboxEvent[]): Promise<void> {
  if (events.length === 0) return;
  await session.query(
    `insert into events (epoch, type, payload, large_trade_id, account_id)
     select (select max(epoch) from outbox_epoch), t.type, t.payload, t.large_trade_id, t.account_id
     from unnest($1::text[], $2::jsonb[], $3::bigint[], $4::bigint[]) with ordinality as t(type, payload, large_trade_id, account_id, ord)
     order by ord`,
    [
      events.map(({ type }) => type),
      events.map(({ type, payload }) => JSON.stringify(EVENT_PAYLOADS[type].parse(payload))),
      events.map((event) => (event.type === "large_trade_inserted_v2" ? event.payload.whale_alert_id : null)),
      events.map(({ accountId = null }) => accountId),
    ],
  );
}
