import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { endpoint } from "../../db/fragments/webhooks.ts";
import { columnName, isoText, selectRow, timestamp } from "../../db/sql.ts";
import type { EndpointSecrets } from "../../webhooks/rules/secret-rotation.ts";
import { endpointColumns, EndpointRow, lockEndpoint, isBusy, isOwned, type EndpointRef } from "./endpoint-row.ts";

const Row = z.object({
  secret: z.string(),
  staged: z.string().nullable(),
  previous: z.string().nullable(),
  overlap_ends_at: z.string().nullable(),
  is_busy: z.boolean(),
});

/** An endpoint's sealed secrets, and whether a delivery to it is in progress. */
export async function findSecrets(
  db: Database,
  ref: EndpointRef,
  now: Date,
): Promise<{ readonly secrets: EndpointSecrets; readonly isBusy: boolean } | null> {
  const row = await selectRow(
    db,
    sql`
      select ${endpoint.secretSealed} as secret, ${endpoint.stagedSecretSealed} as staged,
        ${endpoint.previousSecretSealed} as previous, ${isoText(endpoint.overlapExpiresAt)} as overlap_ends_at,
        ${isBusy(now)} as is_busy
      from ${endpoint} where ${isOwned(ref)}`,
    Row,
  );
  if (row === null) return null;
  const { secret, staged, previous, overlap_ends_at: end } = row;
  return {
    secrets: { secret, staged, previous, overlapEndsAtMs: end === null ? null : Date.parse(end) },
    isBusy: row.is_busy,
  };
}

/**
 * Stores new secrets if the stored ones are still those that the decision was based on, and, with `atRest`,
 * only if no delivery is in progress.
 *
 * @returns null otherwise: the caller must decide again
 */
export async function storeSecrets(
  db: Database,
  ref: EndpointRef,
  decision: { readonly seen: EndpointSecrets; readonly next: EndpointSecrets; readonly atRest: boolean },
  now: Date,
): Promise<EndpointRow | null> {
  const { seen, next, atRest } = decision;
  const overlapEndsAt = next.overlapEndsAtMs === null ? null : new Date(next.overlapEndsAtMs).toISOString();
  const [, stored] = await db.batch([
    // A starting delivery holds a share lock on this row until the delivery is visible.
    lockEndpoint(db, ref),
    db.execute(sql`
      with changed as (
        update ${endpoint} set ${columnName(endpoint.secretSealed)} = ${next.secret},
          ${columnName(endpoint.stagedSecretSealed)} = ${next.staged}::text,
          ${columnName(endpoint.previousSecretSealed)} = ${next.previous}::text,
          ${columnName(endpoint.overlapExpiresAt)} = ${overlapEndsAt}::timestamptz,
          ${columnName(endpoint.updatedAt)} = ${timestamp(now)}
        where ${isOwned(ref)} and ${endpoint.secretSealed} = ${seen.secret}
          and ${endpoint.stagedSecretSealed} is not distinct from ${seen.staged}::text
          and ${endpoint.previousSecretSealed} is not distinct from ${seen.previous}::text
          and not (${atRest} and ${isBusy(now)})
        returning e.*
      )
      select ${endpointColumns(now)} from changed e`),
  ]);
  return z.array(EndpointRow).parse(stored.rows)[0] ?? null;
}
