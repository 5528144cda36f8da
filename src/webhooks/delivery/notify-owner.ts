import { sql } from "drizzle-orm";
import { z } from "zod";
import { account } from "../../db/aliases.ts";
import type { Database } from "../../db/client.ts";
import { endpoint } from "../../db/fragments/webhooks.ts";
import { selectRow } from "../../db/sql.ts";
import { DISABLE_AFTER_FAILURES } from "../rules/delivery-state.ts";
import type { Mail } from "../../platform/mail/mail.ts";

export interface NotifyOwnerSettings {
  readonly db: Database;
  /** Null when no mail can be sent; the owner is then not notified. */
  readonly mail: Mail | null;
  readonly serviceName: string;
  readonly apiBaseUrl: string;
}

const Row = z.object({ name: z.string(), url: z.string(), reason: z.enum(["failures", "gone"]), email: z.string() });

const CAUSES = {
  failures: `its last ${DISABLE_AFTER_FAILURES} attempts failed`,
  gone: "its receiver responded with 410 Gone",
} as const;

/**
 * Mails the owner of an endpoint that was disabled by failures or a 410, if it is still disabled.
 *
 * @param key idempotency key, the same for every call about one disablement
 * @throws MailUnavailable
 */
export async function notifyOwner(
  endpointId: string,
  key: string,
  { db, mail, serviceName, apiBaseUrl }: NotifyOwnerSettings,
): Promise<void> {
  if (mail === null) return;
  const row = await selectRow(
    db,
    sql`
      select ${endpoint.name}, ${endpoint.url}, ${endpoint.disabledReason} as reason, ${account.email}
      from ${endpoint} join ${account} on ${account.id} = ${endpoint.accountId}
      where ${endpoint.id} = ${endpointId}::bigint and ${endpoint.deletedAt} is null and ${endpoint.status} = 'disabled'
        and ${endpoint.disabledReason} in ('failures', 'gone') and ${account.state} <> 'deleted'`,
    Row,
  );
  if (row === null) return;
  const { name, url, reason, email } = row;
  // Only the host: the rest of the URL may be a secret between owner and receiver.
  const described = `Webhook endpoint ${endpointId} (${JSON.stringify(name)}, ${new URL(url).host})`;
  const text = [
    `${described} is disabled: ${CAUSES[reason]}. It receives no more deliveries; pending ones are now dead letters.`,
    `To re-enable it, send PATCH ${apiBaseUrl}/api/v1/webhooks/${endpointId} with {"enabled": true}.`,
    "New events are delivered from then on.",
    "Dead letters can be redelivered individually for seven days after the event.",
  ].join("\n");
  await mail.send({ to: email, subject: `${serviceName} has disabled a webhook endpoint`, text, idempotencyKey: key });
}
