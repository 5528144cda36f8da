import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { endpoint } from "../../db/fragments/webhooks.ts";
import { columnName, timestamp } from "../../db/sql.ts";
import { endpointColumns, EndpointRow, isOfAccount, lockEndpoint, type EndpointRef } from "./endpoint-row.ts";
import { cancelVerificationAttempts, deadLetterPending } from "./stop-endpoint.ts";

/**
 * Deletes an endpoint: nothing is posted to it any more; its deliveries are kept. Deleting twice has the same
 * result as deleting once.
 *
 * @returns null when the account never had the endpoint
 */
export async function deleteEndpoint(db: Database, ref: EndpointRef, now: Date): Promise<EndpointRow | null> {
  const [, deleted] = await db.batch([
    lockEndpoint(db, ref),
    db.execute(sql`
      with changed as (
        update ${endpoint} set ${columnName(endpoint.status)} = 'disabled',
          ${columnName(endpoint.disabledReason)} = coalesce(${endpoint.disabledReason}, 'owner'),
          ${columnName(endpoint.openUntil)} = null, ${columnName(endpoint.stagedSecretSealed)} = null,
          ${columnName(endpoint.previousSecretSealed)} = null, ${columnName(endpoint.overlapExpiresAt)} = null,
          ${columnName(endpoint.updatedAt)} = case when ${endpoint.deletedAt} is null then ${timestamp(now)}
            else ${endpoint.updatedAt} end,
          ${columnName(endpoint.deletedAt)} = coalesce(${endpoint.deletedAt}, ${timestamp(now)})
        where ${isOfAccount(ref)}
        returning e.*
      ), ${deadLetterPending(sql`true`)}, ${cancelVerificationAttempts(sql`true`, now)}
      select ${endpointColumns(now)} from changed e`),
  ]);
  return z.array(EndpointRow).parse(deleted.rows)[0] ?? null;
}
