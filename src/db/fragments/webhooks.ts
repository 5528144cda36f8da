import { sql, type SQL } from "drizzle-orm";
import { webhookDeliveries, webhookEndpoints, webhookVerificationAttempts } from "../schema.ts";
import { alias, type Columns } from "../sql.ts";

// The standard aliases of webhook statements. A common table expression that passes all columns of its table
// on may have the same alias.
export const endpoint = alias(webhookEndpoints, "e");
export const delivery = alias(webhookDeliveries, "d");
export const attempt = alias(webhookVerificationAttempts, "a");

/** Events are posted to the endpoint, unless its circuit is open. */
export const isActive = (row: Columns<typeof webhookEndpoints, "status" | "deletedAt">): SQL =>
  sql`${row.status} = 'active' and ${row.deletedAt} is null`;

/** The delivery waits for its next attempt. The condition of partial indexes. */
export const isWaiting = ({ status }: Columns<typeof webhookDeliveries, "status">): SQL =>
  sql`${status} in ('pending', 'retry')`;

/** The verification attempt has not ended. */
export const isUnended = ({ state }: Columns<typeof webhookVerificationAttempts, "state">): SQL =>
  sql`${state} in ('queued', 'running')`;

/** The endpoint's signing secrets at a time, sealed, the active one first, as JSON. */
export const signingSecretsJson = (at: SQL): SQL =>
  sql`to_json(array_remove(array[${endpoint.secretSealed},
    case when ${endpoint.overlapExpiresAt} > ${at} then ${endpoint.previousSecretSealed} end], null))`;
