/**
 * SQLSTATE classes and codes for "cannot serve now": connection failure, shutdown, too many connections,
 * cancelled statement.
 */
const UNAVAILABLE_SQLSTATE = /^(08|53|57P|57014|XX000)/;

/** The driver's message when the proxy in front of Postgres itself responds with 5xx, without a SQLSTATE. */
const PROXY_FAILURE = /^Server error \(HTTP status 5\d\d\)/;

/** Limits the walk along `cause`, which may be circular. */
const MAX_CAUSES = 10;

/**
 * Whether an error means that the database is unreachable or cannot serve, and not that a statement is wrong.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  let current = error;
  for (let depth = 0; current instanceof Error && depth < MAX_CAUSES; depth++) {
    if ("code" in current && typeof current.code === "string" && UNAVAILABLE_SQLSTATE.test(current.code)) return true;
    if (current.name === "NeonDbError") {
      // A failed fetch has no SQLSTATE, but it carries the error that fetch threw.
      if ("sourceError" in current && current.sourceError !== undefined) return true;
      if (PROXY_FAILURE.test(current.message)) return true;
    }
    current = current.cause;
  }
  return false;
}
