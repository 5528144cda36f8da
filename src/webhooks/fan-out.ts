import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { readOutbox, type OutboxPosition, type StoredEvent } from "../db/outbox.ts";
import { findOutboxEnds } from "../db/outbox-restart.ts";
import { eventDataOf, eventTimeOf, type OutboxRow } from "../domain/event-body.ts";
import { EVENT_TYPES, formatEventId, type EventType } from "../domain/event-catalogue.ts";
import { decideSpelling, type Subscriber } from "../domain/webhooks/match-endpoints.ts";
import { describeError } from "../lib/console-log.ts";
import type { Log } from "../lib/log.ts";
import { listSubscribers } from "./list-subscribers.ts";
import { goOnFrom, readPlace, skipUnheard, standsAt } from "./outbox-place.ts";

export interface FanOut {
  /** Endpoints that have got new deliveries. */
  readonly endpointIds: readonly string[];
  /** Whether more events may wait behind the place. */
  readonly more: boolean;
}

/** Events of one turn. */
const PAGE = 200;
/** A turn ends with the event that makes it so many deliveries. */
const ENOUGH_DELIVERIES = 2_000;

/** One event in one spelling, as it is posted. */
interface Told {
  readonly event_id: string;
  readonly event_type: string;
  readonly body: string;
}

interface Delivery {
  readonly endpoint_id: string;
  /** Which of the told. */
  readonly told: number;
}

const Moved = z.tuple([z.object({ moved: z.number().int(), endpoints: z.array(z.string()) })]);

/**
 * Makes deliveries of the events behind the place: one for each endpoint that an event concerns. The deliveries and the move of the place are
 * one statement that only counts while the place is still where it was read, so that each is made once however often and by however many
 * this is run, and none is left out when it is killed.
 */
export async function fanOut(db: Database, now: Date, log: Log): Promise<FanOut> {
  const place = await readPlace(db);
  if (place === null) return { endpointIds: [], more: false };
  const { epoch, isWhole, events } = await readOutbox(db, place, PAGE);
  if (!isWhole) {
    const ends = await findOutboxEnds(db);
    if (ends === null) return { endpointIds: [], more: false };
    log.error("events were lost to webhooks", { behind: place, epoch, goes_on_from: ends.start });
    await goOnFrom(db, place, ends.start, now);
    return { endpointIds: [], more: true };
  }
  if (events.length === 0) return { endpointIds: [], more: false };
  const subscribers = await listSubscribers(db);
  if (subscribers.length === 0) {
    await skipUnheard(db, place, now);
    return { endpointIds: [], more: false };
  }
  const { told, deliveries, upTo, count } = addressEvents(events, place.epoch, subscribers, log);
  const { moved, endpoints } = await storeDeliveries(db, { place, upTo, told, deliveries, now });
  return { endpointIds: endpoints, more: moved === 0 || count < events.length || events.length === PAGE };
}

function addressEvents(events: readonly StoredEvent[], epoch: number, subscribers: readonly Subscriber[], log: Log) {
  const told: Told[] = [];
  const deliveries: Delivery[] = [];
  let count = 0;
  for (const stored of events) {
    if (deliveries.length >= ENOUGH_DELIVERIES) break;
    count++;
    const type = EVENT_TYPES.find((known) => known === stored.type);
    if (type === undefined) {
      log.error("an event of an unknown type is told to nobody", { id: stored.id, type: stored.type });
      continue;
    }
    const places = new Map<string, number>();
    for (const subscriber of subscribers) {
      const spelling = spellingOf(subscriber, stored, type, log);
      if (spelling === null) continue;
      if (!places.has(spelling)) places.set(spelling, told.push(tell({ ...outboxRow(stored, epoch), type }, spelling)) - 1);
      deliveries.push({ endpoint_id: subscriber.endpointId, told: places.get(spelling) ?? 0 });
    }
  }
  return { told, deliveries, upTo: events[count - 1], count };
}

function spellingOf(subscriber: Subscriber, event: StoredEvent, type: EventType, log: Log): string | null {
  try {
    return decideSpelling(subscriber, { type, data: event.payload, createdAt: event.created_at, accountId: event.account_id });
  } catch (error) {
    // What no filter can read must not keep all other events from everybody.
    log.error("an event could not be compared with filters", { id: event.id, error: describeError(error) });
    return null;
  }
}

const outboxRow = ({ id, payload, created_at: createdAt }: StoredEvent, epoch: number) => ({ epoch, id, payload, createdAt });

function tell(row: OutboxRow, spelling: string): Told {
  const id = formatEventId(row.epoch, row.id);
  const body = JSON.stringify({ id, type: spelling, created_at: eventTimeOf(row), data: eventDataOf(row) });
  return { event_id: id, event_type: spelling, body };
}

async function storeDeliveries(
  db: Database,
  facts: { place: OutboxPosition; upTo: StoredEvent | undefined; told: readonly Told[]; deliveries: readonly Delivery[]; now: Date },
) {
  const { place, upTo, now } = facts;
  const at = sql`${now.toISOString()}::timestamptz`;
  const told = JSON.stringify(facts.told.map((one, index) => ({ ...one, place: index })));
  // An endpoint that stops being active meanwhile either gets no row, or has it by the time that its queue is emptied: `for share` waits.
  const { rows } = await db.execute(sql`
    with moved as (
      update outbox_readers set commit_xid = ${upTo?.commit_xid}::xid8, event_id = ${upTo?.id}::bigint, updated_at = ${at}
      where ${standsAt(place)} returning name
    ), due as (
      select d.endpoint_id, t.event_id, t.event_type, t.body
      from jsonb_to_recordset(${JSON.stringify(facts.deliveries)}::jsonb) as d(endpoint_id bigint, told int)
      join jsonb_to_recordset(${told}::jsonb) as t(place int, event_id text, event_type text, body text) on t.place = d.told
      join webhook_endpoints e on e.id = d.endpoint_id
      where e.status = 'active' and e.deleted_at is null and exists (select from moved)
      order by d.endpoint_id, d.told for share of e
    ), added as (
      insert into webhook_deliveries (endpoint_id, event_id, event_type, body, next_attempt_at, created_at)
      select endpoint_id, event_id, event_type, body, ${at}, ${at} from due
      on conflict (endpoint_id, event_id) do nothing returning endpoint_id
    )
    select (select count(*) from moved)::int as moved,
      to_json(array(select distinct endpoint_id::text from added order by 1)) as endpoints`);
  const [result] = Moved.parse(rows);
  return result;
}
