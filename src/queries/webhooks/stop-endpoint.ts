import { sql, type SQL } from "drizzle-orm";
import { attempt, delivery, isUnended, isWaiting } from "../../db/fragments/webhooks.ts";
import { columnName, timestamp } from "../../db/sql.ts";

/*
 * Parts of the statement that changes an endpoint, for work that ends when it is no longer active or pending
 * verification. `changed` is that statement's CTE of changed endpoints; each part takes the condition under
 * which it applies to such an endpoint `c`.
 */

/**
 * Turns waiting deliveries into dead letters: nothing waits at a disabled endpoint. Once enabled again, it
 * receives new events only.
 */
export const deadLetterPending = (condition: SQL): SQL => sql`
  emptied as (
    update ${delivery} set ${columnName(delivery.status)} = 'dead_letter', ${columnName(delivery.nextAttemptAt)} = null,
      ${columnName(delivery.scheduleReason)} = null,
      ${columnName(delivery.lastError)} = ${"The endpoint was disabled before this could be delivered."}
    from changed c where ${delivery.endpointId} = c.id and ${isWaiting(delivery)} and (${condition})
    returning ${delivery.id}
  )`;

/** Cancels verification attempts that no longer apply, or not to this URL. */
export const cancelVerificationAttempts = (condition: SQL, now: Date): SQL => sql`
  cancelled as (
    update ${attempt} set ${columnName(attempt.state)} = 'cancelled',
      ${columnName(attempt.outcome)} = 'endpoint_changed',
      ${columnName(attempt.nextAttemptAt)} = null, ${columnName(attempt.lease)} = null,
      ${columnName(attempt.leaseUntil)} = null, ${columnName(attempt.completedAt)} = ${timestamp(now)},
      ${columnName(attempt.updatedAt)} = ${timestamp(now)}
    from changed c where ${attempt.endpointId} = c.id and ${isUnended(attempt)} and (${condition})
    returning ${attempt.id}
  )`;
