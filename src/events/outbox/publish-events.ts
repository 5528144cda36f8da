import { sql, type SQL } from "drizzle-orm";
import type { Session } from "../../db/client.ts";
import { events as eventTable, outboxEpoch } from "../../db/schema.ts";
import { array, columnNames, run } from "../../db/sql.ts";
import { EVENT_CATALOGUE, type EventPayload, type EventType } from "../registry.ts";

/** An event that this product publishes to the readers of the outbox. */
export type OutboxEvent = { [T in EventType]: OutboxEventOf<T> }[EventType];

interface OutboxEventOf<T extends EventType> {
  readonly type: T;
  readonly payload: EventPayload<T>;
  /** The account that may receive the event; absent on events for every account. */
  readonly accountId?: number;
}

/**
 * Adds events in the transaction that makes them true. Readers see them in commit order, see the `events`
 * table.
 *
 * @throws ZodError when a payload does not match the schema of its event type
 */
export async function publishEvents(session: Session, events: readonly OutboxEvent[]): Promise<void> {
  if (events.length === 0) return;
  const types = events.map((event) => event.type);
  const payloads = events.map((event) => JSON.stringify(EVENT_CATALOGUE[event.type].payload.parse(event.payload)));
  const largeTradeIds = events.map((event) =>
    event.type === "large_trade_inserted_v2" ? event.payload.whale_alert_id : null,
  );
  const accountIds = events.map((event) => event.accountId ?? null);
  await run(
    session,
    insertEvents(sql`unnest(${array(types, "text")}, ${array(payloads, "jsonb")}, ${array(largeTradeIds, "bigint")},
      ${array(accountIds, "bigint")}) with ordinality as t(type, payload, large_trade_id, account_id, ord)`),
  );
}

/**
 * The statement that adds the events of `source`, which is named `t` and has the columns type, payload, large_trade_id,
 * account_id and ord, their order. Only for events that a statement makes of its own rows; a test checks their payloads,
 * because no schema does here.
 */
export function insertEvents(source: SQL): SQL {
  const { epoch, type, payload, largeTradeId, accountId } = eventTable;
  return sql`insert into ${eventTable} (${columnNames(epoch, type, payload, largeTradeId, accountId)})
    select (select max(${outboxEpoch.epoch}) from ${outboxEpoch}), t.type, t.payload, t.large_trade_id, t.account_id
    from ${source} order by ord`;
}
