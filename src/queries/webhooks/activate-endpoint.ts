import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { selectRows } from "../rows.ts";
import { at, endpointColumns, EndpointRow, isOwned, type EndpointRef } from "./endpoint-row.ts";
import { cancelAttempts } from "./stop-endpoint.ts";

const Activated = EndpointRow.extend({ resumed: z.number().int() });

/**
 * Lets deliveries begin, provided that the endpoint still waits for verification with this very token. What has waited since its URL was
 * changed is due at once.
 *
 * @param tokenSealed as it was read
 * @returns the endpoint and how many deliveries are due; null when it stands otherwise by now
 */
export async function activateEndpoint(
  db: Database,
  ref: EndpointRef,
  tokenSealed: string,
  now: Date,
): Promise<z.output<typeof Activated> | null> {
  const [row] = await selectRows(
    db,
    sql`
      with changed as (
        update webhook_endpoints e set status = 'active', verified_at = ${at(now)}, disabled_reason = null, failure_count = 0, open_until = null,
          updated_at = ${at(now)}
        where ${isOwned(ref)} and e.status = 'pending_verification' and e.verification_token_sealed = ${tokenSealed}
          and e.verification_expires_at > ${at(now)}
        returning e.*
      ), ${cancelAttempts(sql`true`, now)},
      resumed as (
        update webhook_deliveries d set next_attempt_at = ${at(now)}, schedule_reason = 'configuration_changed'
        from changed c where d.endpoint_id = c.id and d.status in ('pending', 'retry') returning d.id
      )
      select ${endpointColumns(now)}, (select count(*) from resumed)::int as resumed from changed e`,
    Activated,
  );
  return row ?? null;
}
