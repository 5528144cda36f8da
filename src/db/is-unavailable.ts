/** Postgres's classes and codes for "cannot serve now": connection failures, shutdowns, too many connections, cancelled by an operator. */
const UNAVAILABLE = /^(08|53|57P|57014|XX000)/;

/** Whether an error says that the database cannot be reached or cannot serve, as opposed to a statement that is wrong. */
export function isUnavailable(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string" && UNAVAILABLE.test(at.code)) return true;
    // The driver wraps a failed fetch: no server code, but the error that fetch threw.
    if (at.name === "NeonDbError" && "sourceError" in at && at.sourceError !== undefined) return true;
  }
  return false;
}
