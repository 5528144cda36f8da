import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { at, endpointColumns, EndpointRow, holdEndpoint, type EndpointRef } from "./endpoint-row.ts";
import { cancelAttempts, emptyQueue } from "./stop-endpoint.ts";

/**
 * Deletes an endpoint: nothing is posted to it any more, and it keeps its deliveries. Deleted twice, it is as deleted once.
 *
 * @returns null when the account never had it
 */
export async function deleteEndpoint(db: Database, ref: EndpointRef, now: Date): Promise<EndpointRow | null> {
  const [, deleted] = await db.batch([
    holdEndpoint(db, ref),
    db.execute(sql`
      with changed as (
        update webhook_endpoints e set status = 'disabled', disabled_reason = coalesce(e.disabled_reason, 'owner'),
          open_until = null, staged_secret_sealed = null, previous_secret_sealed = null, overlap_expires_at = null,
          updated_at = case when e.deleted_at is null then ${at(now)} else e.updated_at end, deleted_at = coalesce(e.deleted_at, ${at(now)})
        where e.id = ${ref.id}::bigint and e.account_id = ${ref.accountId}::bigint
        returning e.*
      ), ${emptyQueue(sql`true`)}, ${cancelAttempts(sql`true`, now)}
      select ${endpointColumns(now)} from changed e`),
  ]);
  return z.array(EndpointRow).parse(deleted.rows)[0] ?? null;
}
