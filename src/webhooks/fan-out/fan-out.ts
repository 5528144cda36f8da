import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { endpoint, isActive } from "../../db/fragments/webhooks.ts";
import { outboxReaders, webhookDeliveries } from "../../db/schema.ts";
import { columnName, columnNames, timestamp } from "../../db/sql.ts";
import { readOutbox, type OutboxPosition, type StoredEvent } from "../../events/outbox/outbox-reader.ts";
import { findOutboxBounds } from "../../events/outbox/outbox-bounds.ts";
import { eventDataOf, eventTimeOf, formatEventId, type OutboxRow } from "../../events/event-body.ts";
import { EVENT_TYPES, type EventType } from "../../events/registry.ts";
import { decideSpelling, type Subscriber } from "../rules/match-endpoints.ts";
import type { WatchlistMatches } from "../../domain/watchlists/watchlist-matches.ts";
import { describeError } from "../../platform/log/console-log.ts";
import type { Log } from "../../platform/log/log.ts";
import { listSubscribers } from "./list-subscribers.ts";
import { matchWatchlists } from "./match-watchlists.ts";
import { moveReaderPosition, readReaderPosition, skipUnsubscribedEvents, isAtPosition } from "./outbox-position.ts";

export interface FanOutResult {
  /** Endpoints with new deliveries. */
  readonly endpointIds: readonly string[];
  /** Whether more events may be readable after the new position. */
  readonly more: boolean;
}

/** Maximum number of events per call. */
const PAGE = 200;
/** A call stops after the event that brings it to this many deliveries. */
const MAX_DELIVERIES = 2_000;

/** One event in one spelling, as posted. */
interface DeliveryBody {
  readonly event_id: string;
  readonly event_type: string;
  readonly body: string;
}

interface Delivery {
  readonly endpoint_id: string;
  /** Index of its `DeliveryBody`. */
  readonly body_index: number;
}

const INSERTED = columnNames(
  webhookDeliveries.endpointId,
  webhookDeliveries.eventId,
  webhookDeliveries.eventType,
  webhookDeliveries.body,
  webhookDeliveries.nextAttemptAt,
  webhookDeliveries.createdAt,
);

const StoreResult = z.tuple([z.object({ moved: z.number().int(), endpoints: z.array(z.string()) })]);

/**
 * Creates the deliveries of the events after the reader's outbox position: one per event and matching
 * endpoint. One statement inserts the deliveries and advances the position, and only if the position is
 * unchanged since it was read. Each delivery is therefore created exactly once, also with concurrent or
 * interrupted runs.
 */
export async function fanOut(db: Database, now: Date, log: Log): Promise<FanOutResult> {
  const position = await readReaderPosition(db);
  if (position === null) return { endpointIds: [], more: false };
  const { epoch, isContiguous, events } = await readOutbox(db, position, PAGE);
  if (!isContiguous) {
    const ends = await findOutboxBounds(db);
    if (ends === null) return { endpointIds: [], more: false };
    log.error("webhook.events_lost", { position, epoch, resumes_from: ends.start });
    await moveReaderPosition(db, position, ends.start, now);
    return { endpointIds: [], more: true };
  }
  if (events.length === 0) return { endpointIds: [], more: false };
  const subscribers = await listSubscribers(db);
  if (subscribers.length === 0) {
    await skipUnsubscribedEvents(db, position, now);
    return { endpointIds: [], more: false };
  }
  const matches = await matchWatchlists(db, subscribers, events);
  const { bodies, deliveries, upTo, count } = matchEvents(events, position.epoch, { subscribers, matches }, log);
  const { moved, endpoints } = await storeDeliveries(db, { position, upTo, bodies, deliveries, now });
  return { endpointIds: endpoints, more: moved === 0 || count < events.length || events.length === PAGE };
}

function matchEvents(
  events: readonly StoredEvent[],
  epoch: number,
  { subscribers, matches }: { subscribers: readonly Subscriber[]; matches: WatchlistMatches },
  log: Log,
) {
  const bodies: DeliveryBody[] = [];
  const deliveries: Delivery[] = [];
  let count = 0;
  for (const stored of events) {
    if (deliveries.length >= MAX_DELIVERIES) break;
    count++;
    const type = EVENT_TYPES.find((known) => known === stored.type);
    if (type === undefined) {
      log.error("outbox.unknown_event_type", { event_id: stored.id, event_type: stored.type });
      continue;
    }
    const indexBySpelling = new Map<string, number>();
    for (const subscriber of subscribers) {
      const spelling = spellingOf(subscriber, { ...stored, type }, matches, log);
      if (spelling === null) continue;
      if (!indexBySpelling.has(spelling))
        indexBySpelling.set(spelling, bodies.push(deliveryBody({ ...outboxRow(stored, epoch), type }, spelling)) - 1);
      deliveries.push({ endpoint_id: subscriber.endpointId, body_index: indexBySpelling.get(spelling) ?? 0 });
    }
  }
  return { bodies, deliveries, upTo: events[count - 1], count };
}

function spellingOf(
  subscriber: Subscriber,
  event: StoredEvent & { readonly type: EventType },
  matches: WatchlistMatches,
  log: Log,
): string | null {
  const { type, payload: data, created_at: createdAt, account_id: accountId } = event;
  try {
    return decideSpelling(subscriber, { type, data, createdAt, accountId }, matches);
  } catch (error) {
    // An event that no filter can read must not block all other events.
    log.error("webhook.filter_failed", { event_id: event.id, error: describeError(error) });
    return null;
  }
}

const outboxRow = ({ id, identity, payload, created_at: createdAt }: StoredEvent, epoch: number) => ({
  epoch,
  id,
  identity,
  payload,
  createdAt,
});

function deliveryBody(row: OutboxRow, spelling: string): DeliveryBody {
  const id = formatEventId(row);
  const body = JSON.stringify({ id, type: spelling, created_at: eventTimeOf(row), data: eventDataOf(row) });
  return { event_id: id, event_type: spelling, body };
}

async function storeDeliveries(
  db: Database,
  batch: {
    position: OutboxPosition;
    upTo: StoredEvent | undefined;
    bodies: readonly DeliveryBody[];
    deliveries: readonly Delivery[];
    now: Date;
  },
) {
  const { position, upTo, now } = batch;
  const at = timestamp(now);
  const bodies = JSON.stringify(batch.bodies.map((body, index) => ({ ...body, body_index: index })));
  // `for share` orders this with a concurrent disablement: the endpoint gets either no row, or one that the
  // disablement then moves to the dead letters.
  const { rows } = await db.execute(sql`
    with moved as (
      update ${outboxReaders}
      set ${columnName(outboxReaders.commitXid)} = ${upTo?.commit_xid}::xid8,
        ${columnName(outboxReaders.eventId)} = ${upTo?.id}::bigint, ${columnName(outboxReaders.updatedAt)} = ${at}
      where ${isAtPosition(position)} returning ${outboxReaders.name}
    ), due as (
      select d.endpoint_id, b.event_id, b.event_type, b.body
      from jsonb_to_recordset(${JSON.stringify(batch.deliveries)}::jsonb) as d(endpoint_id bigint, body_index int)
      join jsonb_to_recordset(${bodies}::jsonb) as b(body_index int, event_id text, event_type text, body text)
        on b.body_index = d.body_index
      join ${endpoint} on ${endpoint.id} = d.endpoint_id
      where ${isActive(endpoint)} and exists (select from moved)
      order by d.endpoint_id, d.body_index for share of e
    ), added as (
      insert into ${webhookDeliveries} (${INSERTED})
      select endpoint_id, event_id, event_type, body, ${at}, ${at} from due
      on conflict (${columnNames(webhookDeliveries.endpointId, webhookDeliveries.eventId)}) do nothing
      returning ${webhookDeliveries.endpointId}
    )
    select (select count(*) from moved)::int as moved,
      to_json(array(select distinct endpoint_id::text from added order by 1)) as endpoints`);
  const [result] = StoreResult.parse(rows);
  return result;
}
