import { sql, type SQL } from "drizzle-orm";
import { at } from "./endpoint-row.ts";

/*
 * What ends with an endpoint's being active or waiting for verification, as parts of the statement that changes it. `changed` is what that
 * statement calls the endpoints it has changed; each part names the condition under which it applies to one, `c`.
 */

/** Nothing waits at an endpoint that is disabled: once it is enabled again it hears of what happens from then on. */
export const emptyQueue = (condition: SQL): SQL => sql`
  emptied as (
    update webhook_deliveries d set status = 'dead_letter', next_attempt_at = null, schedule_reason = null,
      last_error = ${"The endpoint was disabled before this could be delivered."}
    from changed c where d.endpoint_id = c.id and d.status in ('pending', 'retry') and (${condition}) returning d.id
  )`;

/** Attempts to verify what is not to be verified any more, or not under that URL. */
export const cancelAttempts = (condition: SQL, now: Date): SQL => sql`
  cancelled as (
    update webhook_verification_attempts a set state = 'cancelled', outcome = 'endpoint_changed', next_attempt_at = null, lease = null,
      lease_until = null, completed_at = ${at(now)}, updated_at = ${at(now)}
    from changed c where a.endpoint_id = c.id and a.state in ('queued', 'running') and (${condition}) returning a.id
  )`;
