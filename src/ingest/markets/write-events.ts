import { sql, type SQL } from "drizzle-orm";
import { ev } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { recordset } from "../../db/fragments/recordset.ts";
import { providerEvents } from "../../db/schema.ts";
import { columnName, columnNames, excluded, qualified, run, setEach, timestamp } from "../../db/sql.ts";
import type { ProviderEvent, ProviderMarket } from "../../platform/provider.ts";

/** An event takes the category of the last of its markets in the response. */
export type EventRow = ProviderEvent & { readonly category: string | null };

/** The columns that the newest response replaces, and their values. */
const DESCRIBED = [ev.providerEventId, ev.title, ev.image, ev.seriesSlug, ev.category, ev.tags, ev.startAt, ev.endAt];
const DESCRIPTION = sql`t.provider_event_id, t.title, t.image, t.series_slug, t.category,
  array(select jsonb_array_elements_text(t.tags)), t.start_at, t.end_at`;

/** The events of a response, by slug. */
export function listEvents(rows: readonly ProviderMarket[]): ReadonlyMap<string, EventRow> {
  const bySlug = new Map<string, EventRow>();
  for (const { event, category } of rows) if (event !== null) bySlug.set(event.slug, { ...event, category });
  return bySlug;
}

/**
 * Writes those events that are new or have changed. All writers of events insert in the order of slugs: games are written
 * without the ledger's lock, and two transactions that insert the same events in different orders would block each other.
 */
export async function writeEvents(session: Session, rows: readonly EventRow[], readAt: Date): Promise<void> {
  const events = rows.toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
  if (events.length === 0) return;
  await Promise.all([freeProviderIds(session, events), upsertEvents(session, events, readAt)]);
}

async function upsertEvents(session: Session, events: readonly EventRow[], readAt: Date): Promise<void> {
  const { slug, hydratedAt } = providerEvents;
  const replaced = [...DESCRIBED, hydratedAt];
  await run(
    session,
    sql`insert into ${providerEvents} (${columnNames(slug, ...replaced)})
     select slug, ${DESCRIPTION}, ${timestamp(readAt)} from ${eventRows(events)}
     where not exists (
       select from ${ev} where ${ev.slug} = t.slug
         and (${qualified(DESCRIBED)}) is not distinct from (${DESCRIPTION})
     )
     order by t.slug collate "C"
     on conflict (${columnName(slug)}) do update set ${setEach(replaced, excluded)}`,
  );
}

/** A slug can move from one provider event to another. The event that has it now keeps the provider's id. */
async function freeProviderIds(session: Session, events: readonly EventRow[]): Promise<void> {
  const owners = recordset("t", events, {
    provider_event_id: ["text", (event) => event.providerEventId],
    slug: ["text", (event) => event.slug],
  });
  await run(
    session,
    sql`update ${ev} set ${columnName(ev.providerEventId)} = null
     from ${owners} where ${ev.providerEventId} = t.provider_event_id and ${ev.slug} <> t.slug`,
  );
}

/** The stored events that are as described, as a query of id and slug. */
export const sameEvents = (events: readonly EventRow[]): SQL =>
  sql`select ${ev.id}, ${ev.slug} from ${eventRows(events)} join ${ev} on ${ev.slug} = t.slug
    where (${qualified(DESCRIBED)}) is not distinct from (${DESCRIPTION})`;

const eventRows = (events: readonly EventRow[]): SQL =>
  recordset("t", events, {
    provider_event_id: ["text", (event) => event.providerEventId],
    slug: ["text", (event) => event.slug],
    title: ["text", (event) => event.title],
    image: ["text", (event) => event.image],
    series_slug: ["text", (event) => event.seriesSlug],
    category: ["text", (event) => event.category],
    tags: ["jsonb", (event) => JSON.stringify(event.tags)],
    start_at: ["timestamptz", (event) => event.startAt?.toISOString() ?? null],
    end_at: ["timestamptz", (event) => event.endAt?.toISOString() ?? null],
  });
