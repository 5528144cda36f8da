/** Bound on the cause chain; the query builder wraps the driver's error once. */
const MAX_CAUSES = 5;

/** Whether a statement failed because a live integration of the account already has this name. */
export function isNameTaken(error: unknown): boolean {
  let at = error;
  for (let depth = 0; at instanceof Error && depth < MAX_CAUSES; depth++) {
    if ("constraint" in at && at.constraint === "integrations_live_name") return true;
    at = at.cause;
  }
  return false;
}
