/** The node refused a range of blocks because its answer would be too large or would take too long. */
export class RangeTooLarge extends Error {
  override name = "RangeTooLarge";
}

// No code is standard: -32005 is a full answer at one service and a spent rate limit at another. The texts are
// those of geth, Bor, Erigon and the public services.
const RATE_LIMIT = /rate limit|too many requests|request count|request limit|compute units|capacity/i;
const TOO_LARGE =
  /more than \d+ results|too many (results|logs)|response size|response is too (big|large)|block range|range (is )?too|(max|exceed)\w* .*(range|results|logs|blocks)|limited to .*(range|blocks)|query timeout|timed? ?out|no response within|status 413/i;
/** Parse error, invalid request, unknown method, invalid parameters. */
const INVALID_CALLS = new Set([-32700, -32600, -32601, -32602]);

export type NodeErrorKind = "too_large" | "refused" | "temporary";

/**
 * What an error of a node means for the caller: a smaller range, no further attempt, or another attempt.
 *
 * @param code null when the error is not one of JSON-RPC
 */
export function classifyNodeError(code: number | null, message: string): NodeErrorKind {
  if (RATE_LIMIT.test(message)) return "temporary";
  if (TOO_LARGE.test(message)) return "too_large";
  return code !== null && INVALID_CALLS.has(code) ? "refused" : "temporary";
}
