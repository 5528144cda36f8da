import { sql, type SQL } from "drizzle-orm";
import { ev } from "../../db/aliases.ts";
import type { Session } from "../../db/client.ts";
import { recordset } from "../../db/fragments/recordset.ts";
import { providerEvents } from "../../db/schema.ts";
import { columnName, columnNames, excluded, run, setEach, timestamp } from "../../db/sql.ts";
import type { ProviderEvent, ProviderMarket } from "../../platform/provider.ts";

type EventRow = ProviderEvent & { readonly category: string | null };

/** The columns that the newest response replaces. */
const REPLACED = [
  providerEvents.providerEventId,
  providerEvents.title,
  providerEvents.image,
  providerEvents.seriesSlug,
  providerEvents.category,
  providerEvents.tags,
  providerEvents.startAt,
  providerEvents.endAt,
  providerEvents.hydratedAt,
];

/**
 * Writes the events of these markets. An event takes the category of the last of its markets. All writers of
 * events insert in the order of slugs: games are written without the ledger's lock, and two transactions that
 * insert the same events in different orders would block each other.
 */
export async function writeEvents(session: Session, rows: readonly ProviderMarket[], readAt: Date): Promise<void> {
  const bySlug = new Map<string, EventRow>();
  for (const { event, category } of rows) if (event !== null) bySlug.set(event.slug, { ...event, category });
  const events = [...bySlug.values()].toSorted((a, b) => (a.slug < b.slug ? -1 : 1));
  if (events.length === 0) return;
  await freeProviderIds(session, events);
  const { slug } = providerEvents;
  await run(
    session,
    sql`insert into ${providerEvents} (${columnNames(slug, ...REPLACED)})
     select slug, provider_event_id, title, image, series_slug, category,
       array(select jsonb_array_elements_text(tags)), start_at, end_at, ${timestamp(readAt)}
     from ${eventRows(events)}
     on conflict (${columnName(slug)}) do update set ${setEach(REPLACED, excluded)}`,
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
