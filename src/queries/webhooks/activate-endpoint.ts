import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { delivery, endpoint, isWaiting } from "../../db/fragments/webhooks.ts";
import { columnName, selectRow, timestamp } from "../../db/sql.ts";
import { endpointColumns, EndpointRow, isOwned, type EndpointRef } from "./endpoint-row.ts";
import { cancelVerificationAttempts } from "./stop-endpoint.ts";

const Activated = EndpointRow.extend({ resumed: z.number().int() });

/**
 * Activates an endpoint, if it is still pending verification with the given token. Deliveries that have
 * waited since its URL was changed become due at once.
 *
 * @param tokenSealed the token as it was read
 * @returns the endpoint and the number of due deliveries; null when its state has changed in the meantime
 */
export function activateEndpoint(
  db: Database,
  ref: EndpointRef,
  tokenSealed: string,
  now: Date,
): Promise<z.output<typeof Activated> | null> {
  return selectRow(
    db,
    sql`
      with changed as (
        update ${endpoint} set ${columnName(endpoint.status)} = 'active',
          ${columnName(endpoint.verifiedAt)} = ${timestamp(now)}, ${columnName(endpoint.disabledReason)} = null,
          ${columnName(endpoint.failureCount)} = 0, ${columnName(endpoint.openUntil)} = null,
          ${columnName(endpoint.updatedAt)} = ${timestamp(now)}
        where ${isOwned(ref)} and ${endpoint.status} = 'pending_verification'
          and ${endpoint.verificationTokenSealed} = ${tokenSealed}
          and ${endpoint.verificationExpiresAt} > ${timestamp(now)}
        returning e.*
      ), ${cancelVerificationAttempts(sql`true`, now)},
      resumed as (
        update ${delivery} set ${columnName(delivery.nextAttemptAt)} = ${timestamp(now)},
          ${columnName(delivery.scheduleReason)} = 'configuration_changed'
        from changed c where ${delivery.endpointId} = c.id and ${isWaiting(delivery)} returning ${delivery.id}
      )
      select ${endpointColumns(now)}, (select count(*) from resumed)::int as resumed from changed e`,
    Activated,
  );
}
