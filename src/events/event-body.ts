import { EVENT_CATALOGUE, type EventType } from "./registry.ts";

/** An event as stored in the outbox. */
export interface OutboxRow {
  readonly epoch: number;
  /** Decimal text. */
  readonly id: string;
  /** See the column of `events`. */
  readonly identity: string | null;
  readonly type: EventType;
  /** The event's data without the event id, which is derived from the stored row. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** ISO, UTC. */
  readonly createdAt: string;
}

/**
 * What follows the prefix of an event's public ids. It is the same on every surface and in every delivery. An event with
 * an identity keeps it when a restored database records the occurrence again. For others it is of the row and never used
 * again: a restored database may assign row ids again, but it starts another epoch.
 */
export const eventKey = ({ epoch, id, identity }: Pick<OutboxRow, "epoch" | "id" | "identity">): string =>
  identity === null ? `${epoch}_${id}` : identity.replaceAll("-", "");

/** An event's public id. */
export const formatEventId = (row: Pick<OutboxRow, "epoch" | "id" | "identity">): string => `evt_${eventKey(row)}`;

/** The `data` object of an event, as readers receive it. */
export function eventDataOf(row: OutboxRow): Readonly<Record<string, unknown>> {
  const { type, payload } = row;
  return EVENT_CATALOGUE[type].data === undefined ? payload : { event_id: formatEventId(row), ...payload };
}

/** The time of the event, ISO: of its `occurredAt` field, else the time it was recorded. */
export function eventTimeOf({ type, payload, createdAt }: OutboxRow): string {
  const { occurredAt } = EVENT_CATALOGUE[type];
  const time = occurredAt === undefined ? undefined : payload[occurredAt.field];
  return typeof time === "string" ? time : createdAt;
}
