/** Postgres's classes and codes for "cannot serve now": connection failures, shutdowns, too many connections, cancelled by an operator. */
const UNAVAILABLE = /^(08|53|57P|57014|XX000)/;

/** What the driver says when the service in front of Postgres answers 5xx itself, without a word of Postgres's. */
const SERVICE_FAILED = /^Server error \(HTTP status 5\d\d\)/;

/** Wrappers deeper than this are a circle. */
const MAX_CAUSES = 10;

/** Whether an error says that the database cannot be reached or cannot serve, as opposed to a statement that is wrong. */
export function isUnavailable(error: unknown): boolean {
  let at = error;
  for (let depth = 0; at instanceof Error && depth < MAX_CAUSES; depth++) {
    if ("code" in at && typeof at.code === "string" && UNAVAILABLE.test(at.code)) return true;
    if (at.name === "NeonDbError") {
      // A failed fetch comes without a server code, but with the error that fetch threw.
      if ("sourceError" in at && at.sourceError !== undefined) return true;
      if (SERVICE_FAILED.test(at.message)) return true;
    }
    at = at.cause;
  }
  return false;
}
