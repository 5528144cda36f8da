import { sql } from "drizzle-orm";
import { z } from "zod";
import { outboxEvent, reader } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { isActive } from "../../db/fragments/webhooks.ts";
import { webhookEndpoints, webhookVerificationAttempts } from "../../db/schema.ts";
import { selectRow } from "../../db/sql.ts";
import { WEBHOOK_READER } from "../../events/outbox/outbox-reader.ts";

export interface Backlog {
  /** Whether any event comes after the reader's position, even if it is not readable yet. */
  readonly hasEvents: boolean;
  /** Whether any endpoint is active, or any verification attempt waits for its next challenge. */
  readonly hasReceivers: boolean;
}

const Row = z.object({ has_events: z.boolean(), has_receivers: z.boolean() });

/** The remaining work of the dispatcher after it has read the outbox. */
export async function readBacklog(db: Database): Promise<Backlog> {
  const row = await selectRow(
    db,
    sql`
      select
        coalesce((select true from ${reader}, lateral (select from ${outboxEvent}
            where ${outboxEvent.epoch} = ${reader.epoch}
              and (${outboxEvent.commitXid}, ${outboxEvent.id}) > (${reader.commitXid}, ${reader.eventId})
            order by ${outboxEvent.commitXid}, ${outboxEvent.id} limit 1) e
          where ${reader.name} = ${WEBHOOK_READER}), false) as has_events,
        exists (select from ${webhookEndpoints} where ${isActive(webhookEndpoints)})
          or exists (select from ${webhookVerificationAttempts} where ${webhookVerificationAttempts.state} = 'queued')
          as has_receivers`,
    Row,
  );
  if (row === null) throw new Error("the statement returned no backlog");
  return { hasEvents: row.has_events, hasReceivers: row.has_receivers };
}
