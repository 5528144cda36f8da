import { sql } from "drizzle-orm";
import type { Session } from "../../db/client.ts";
import { insertEvents } from "../../db/fragments/insert-events.ts";
import { array, run } from "../../db/sql.ts";
import { EVENT_CATALOGUE, type EventPayload, type EventType } from "../registry.ts";

/** An event that this product publishes to the readers of the outbox. */
export type OutboxEvent = { [T in EventType]: OutboxEventOf<T> }[EventType];

interface OutboxEventOf<T extends EventType> {
  readonly type: T;
  readonly payload: EventPayload<T>;
  /** The account that may receive the event; absent on events for every account. */
  readonly accountId?: number;
  /**
   * Names what has happened, apart from other occurrences of the type, without row ids or times of our own: a restored
   * database that records it again gives the event the same public id. Absent on events that state a moment of ours.
   */
  readonly occurrence?: string;
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
  const occurrences = events.map((event) => event.occurrence ?? null);
  await run(
    session,
    insertEvents(sql`unnest(${array(types, "text")}, ${array(payloads, "jsonb")}, ${array(largeTradeIds, "bigint")},
      ${array(accountIds, "bigint")}, ${array(occurrences, "text")})
      with ordinality as t(type, payload, large_trade_id, account_id, occurrence, ord)`),
  );
}
