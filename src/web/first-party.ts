import { ApiError } from "../api/errors.ts";

const READS = new Set(["GET", "HEAD"]);

/**
 * Refuses what another website may have made a signed-in browser send. Browsers name the origin of every request that changes something,
 * and of every request that crosses origins; they send JSON across origins only after a preflight, which is refused as well.
 *
 * @throws ApiError forbidden, unsupported_media_type
 */
export function requireFirstParty(request: Request, webOrigin: string): void {
  const { method, headers } = request;
  const reads = READS.has(method);
  if (!reads && !headers.has("origin")) throw foreign();
  refuseOtherOrigins(headers, webOrigin);
  const mediaType = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  // No form can send DELETE, and clients send it without a body, so only what names another type is refused.
  if (!reads && mediaType !== "application/json" && (method !== "DELETE" || mediaType !== undefined)) {
    throw new ApiError("unsupported_media_type", { param: "content-type" });
  }
}

/** @throws ApiError forbidden for any other origin, which gets no permission */
export function presentFirstPartyPreflight(request: Request, webOrigin: string): Response {
  refuseOtherOrigins(request.headers, webOrigin);
  const headers = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST, DELETE",
    "Access-Control-Allow-Headers": "Content-Type, Idempotency-Key",
    "Access-Control-Max-Age": "86400",
  };
  return new Response(null, { status: 204, headers });
}

/** What every answer of the website carries, refusals too: whose browser may read it, and that nobody keeps it. */
export function addFirstPartyHeaders(headers: Headers, request: Request, webOrigin: string): void {
  headers.set("Cache-Control", "no-store");
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  headers.append("Vary", "Origin");
  if (request.headers.get("origin") !== webOrigin) return;
  headers.set("Access-Control-Allow-Origin", webOrigin);
  headers.set("Access-Control-Allow-Credentials", "true");
  headers.set("Access-Control-Expose-Headers", "Retry-After, X-Request-Id");
}

function refuseOtherOrigins(headers: Headers, webOrigin: string): void {
  if ((headers.get("origin") ?? webOrigin) !== webOrigin) throw foreign();
}

const foreign = () => new ApiError("forbidden", { param: "Origin", message: "This route takes requests of the website itself only." });
