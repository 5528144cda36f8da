import type { WritableHeaders } from "./header-fields.ts";

const ALLOWED_HEADERS = [
  "Authorization",
  "Content-Type",
  "If-None-Match",
  "Idempotency-Key",
  "Mcp-Session-Id",
  "Mcp-Protocol-Version",
  "Last-Event-Id",
  "X-Query-Validation",
].join(", ");

const EXPOSED_HEADERS = [
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "Retry-After",
  "ETag",
  "X-Request-Id",
  "X-Request-Cost",
  "X-Usage-Accounting",
  "X-Batch-RateLimit-Limit",
  "X-Batch-RateLimit-Remaining",
  "X-Batch-RateLimit-Reset",
  "X-Monthly-Quota-Limit",
  "X-Monthly-Quota-Remaining",
  "X-Monthly-Quota-Reset",
  "Mcp-Session-Id",
  "X-Mcp-Error-Code",
  "X-Query-Ignored",
  "X-Effective-Query",
  "Deprecation",
  "Sunset",
  "Link",
  "Server-Timing",
].join(", ");

/**
 * Lets pages read the response, without cookies.
 *
 * @param origin whose pages; null for none
 */
export function addCorsHeaders(headers: WritableHeaders, origin: string | null = "*"): void {
  if (origin === null) return;
  headers.set("Access-Control-Allow-Origin", origin);
  headers.set("Access-Control-Expose-Headers", EXPOSED_HEADERS);
}

const SANDBOX_HEADERS = ["X-Oxi-Sandbox", "X-Service-Sandbox", "X-Oxi-Sandbox-Key"].join(", ");

/** Says that a response is a sample, under both published spellings. */
export function markSandbox(headers: WritableHeaders): void {
  headers.set("X-Oxi-Sandbox", "true");
  headers.set("X-Service-Sandbox", "true");
  if (headers.has("Access-Control-Expose-Headers")) headers.append("Access-Control-Expose-Headers", SANDBOX_HEADERS);
}

export function presentPreflight(allow: string): Headers {
  return new Headers({
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": allow,
    "Access-Control-Allow-Headers": ALLOWED_HEADERS,
    "Access-Control-Max-Age": "86400",
  });
}
