import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../db/client.ts";
import { DISABLE_AFTER_FAILURES } from "../domain/webhooks/delivery-state.ts";
import type { Mail } from "../ports/mail.ts";

export interface TellSettings {
  readonly db: Database;
  /** Null where none can be sent: then nobody is told. */
  readonly mail: Mail | null;
  readonly serviceName: string;
  readonly apiBaseUrl: string;
}

const Row = z.object({ name: z.string(), url: z.string(), reason: z.enum(["failures", "gone"]), email: z.string() });

const CAUSES = {
  failures: `its last ${DISABLE_AFTER_FAILURES} attempts failed`,
  gone: "its receiver answered 410 Gone",
} as const;

/**
 * Mails the owner of an endpoint that its failures or a 410 have disabled, provided that it still is.
 *
 * @param key the same each time that this is run for the same disabling
 * @throws MailUnavailable
 */
export async function tellOwner(endpointId: string, key: string, { db, mail, serviceName, apiBaseUrl }: TellSettings): Promise<void> {
  if (mail === null) return;
  const { rows } = await db.execute(sql`
    select e.name, e.url, e.disabled_reason as reason, a.email from webhook_endpoints e join accounts a on a.id = e.account_id
    where e.id = ${endpointId}::bigint and e.deleted_at is null and e.status = 'disabled' and e.disabled_reason in ('failures', 'gone')
      and a.state <> 'deleted'`);
  const [found] = z.array(Row).parse(rows);
  if (found === undefined) return;
  const { name, url, reason, email } = found;
  // The host alone: the rest of a URL may be a secret between the owner and the receiver.
  const text = `Webhook endpoint ${endpointId} (${JSON.stringify(name)}, ${new URL(url).host}) is disabled: ${CAUSES[reason]}. Nothing is sent to it any more, and what waited has been set aside.
To go on, send PATCH ${apiBaseUrl}/api/v1/webhooks/${endpointId} with {"enabled": true}. It is told of what happens from then on. What was set aside can be redelivered for seven days after the event, one delivery at a time.`;
  await mail.send({ to: email, subject: `${serviceName} has disabled a webhook endpoint`, text, key });
}
