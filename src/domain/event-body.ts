import { formatEventId, type EventType } from "./event-catalogue.ts";

/** An event as the outbox has it. */
export interface OutboxRow {
  readonly epoch: number;
  /** Decimal text. */
  readonly id: string;
  readonly type: EventType;
  /** The event's data as its schema has it, but for the event id, which only the stored row has. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** ISO, UTC. */
  readonly createdAt: string;
}

/** What readers are told of an event: its `data`. */
export function eventDataOf(event: OutboxRow): Readonly<Record<string, unknown>> {
  return event.type === "large_trade_inserted_v2" ? { event_id: formatEventId(event.epoch, event.id), ...event.payload } : event.payload;
}

/** When it happened, ISO: the time of the fill where it tells of one trade, else when it was recorded. */
export function eventTimeOf(event: OutboxRow): string {
  const tradedAt = event.type === "large_trade_inserted_v2" ? event.payload["traded_at"] : undefined;
  return typeof tradedAt === "string" ? tradedAt : event.createdAt;
}
