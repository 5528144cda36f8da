import { EVENT_CATALOGUE, type EventType } from "./registry.ts";

/** An event as stored in the outbox. */
export interface OutboxRow {
  readonly epoch: number;
  /** Decimal text. */
  readonly id: string;
  readonly type: EventType;
  /** The event's data without the event id, which is derived from the stored row. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** ISO, UTC. */
  readonly createdAt: string;
}

/**
 * An event's public id. It is the same on every surface and in every delivery, and never reused: a restored
 * database may assign row ids again, but it starts another epoch.
 */
export const formatEventId = (epoch: number, id: string): string => `evt_${epoch}_${id}`;

/** The `data` object of an event, as readers receive it. */
export function eventDataOf({ epoch, id, type, payload }: OutboxRow): Readonly<Record<string, unknown>> {
  return EVENT_CATALOGUE[type].data === undefined ? payload : { event_id: formatEventId(epoch, id), ...payload };
}

/** The time of the event, ISO: of its `occurredAt` field, else the time it was recorded. */
export function eventTimeOf({ type, payload, createdAt }: OutboxRow): string {
  const { occurredAt } = EVENT_CATALOGUE[type];
  const time = occurredAt === undefined ? undefined : payload[occurredAt.field];
  return typeof time === "string" ? time : createdAt;
}
