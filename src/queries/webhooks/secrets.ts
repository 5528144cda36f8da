import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import type { EndpointSecrets } from "../../domain/webhooks/secret-rotation.ts";
import { selectRows } from "../rows.ts";
import { at, endpointColumns, EndpointRow, holdEndpoint, isBusy, isOwned, type EndpointRef } from "./endpoint-row.ts";

const Row = z.object({
  secret: z.string(),
  staged: z.string().nullable(),
  previous: z.string().nullable(),
  overlap_ends_at: z.string().nullable(),
  is_busy: z.boolean(),
});

/** An endpoint's secrets, sealed, and whether a delivery to it is under way. */
export async function findSecrets(
  db: Database,
  ref: EndpointRef,
  now: Date,
): Promise<{ readonly secrets: EndpointSecrets; readonly isBusy: boolean } | null> {
  const [row] = await selectRows(
    db,
    sql`
      select e.secret_sealed as secret, e.staged_secret_sealed as staged, e.previous_secret_sealed as previous,
        to_char(e.overlap_expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as overlap_ends_at, ${isBusy(now)} as is_busy
      from webhook_endpoints e where ${isOwned(ref)}`,
    Row,
  );
  if (row === undefined) return null;
  const { secret, staged, previous, overlap_ends_at: end } = row;
  return { secrets: { secret, staged, previous, overlapEndsAtMs: end === null ? null : Date.parse(end) }, isBusy: row.is_busy };
}

/**
 * Puts secrets in the place of those that a decision was made on. Counts only while these are still there, and with `atRest` only while no
 * delivery is under way.
 *
 * @returns null when that is not so: the decision has to be made anew
 */
export async function storeSecrets(
  db: Database,
  ref: EndpointRef,
  decision: { readonly seen: EndpointSecrets; readonly next: EndpointSecrets; readonly atRest: boolean },
  now: Date,
): Promise<EndpointRow | null> {
  const { seen, next, atRest } = decision;
  const [, stored] = await db.batch([
    // Whoever begins a delivery shares this row until the delivery can be seen.
    holdEndpoint(db, ref),
    db.execute(sql`
      with changed as (
        update webhook_endpoints e set secret_sealed = ${next.secret}, staged_secret_sealed = ${next.staged}::text,
          previous_secret_sealed = ${next.previous}::text,
          overlap_expires_at = ${next.overlapEndsAtMs === null ? null : new Date(next.overlapEndsAtMs).toISOString()}::timestamptz,
          updated_at = ${at(now)}
        where ${isOwned(ref)} and e.secret_sealed = ${seen.secret} and e.staged_secret_sealed is not distinct from ${seen.staged}::text
          and e.previous_secret_sealed is not distinct from ${seen.previous}::text and not (${atRest} and ${isBusy(now)})
        returning e.*
      )
      select ${endpointColumns(now)} from changed e`),
  ]);
  return z.array(EndpointRow).parse(stored.rows)[0] ?? null;
}
