import type { WritableHeaders } from "../response/header-fields.ts";
import { ApiError } from "../errors.ts";

const SAFE_METHODS = new Set(["GET", "HEAD"]);

/**
 * CSRF protection: refuses requests that another website may have caused a signed-in browser to send.
 * Browsers send Origin with every unsafe request and with every cross-origin request. They send JSON across
 * origins only after a preflight, which is refused as well.
 *
 * @throws ApiError forbidden, unsupported_media_type
 */
export function requireFirstParty(request: Request, webOrigin: string): void {
  const { method, headers } = request;
  const isSafeMethod = SAFE_METHODS.has(method);
  if (!isSafeMethod && !headers.has("origin")) throw foreignOriginError();
  refuseOtherOrigins(headers, webOrigin);
  const mediaType = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  // A form cannot send DELETE, and clients send it without a body, so only another declared media type is
  // refused.
  if (!isSafeMethod && mediaType !== "application/json" && (method !== "DELETE" || mediaType !== undefined)) {
    throw new ApiError("unsupported_media_type", { param: "content-type" });
  }
}

/** @throws ApiError forbidden for any other origin */
export function presentFirstPartyPreflight(request: Request, webOrigin: string): Response {
  refuseOtherOrigins(request.headers, webOrigin);
  const headers = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST, DELETE",
    "Access-Control-Allow-Headers": "Content-Type, Idempotency-Key",
    "Access-Control-Max-Age": "86400",
  };
  return new Response(null, { status: 204, headers });
}

/**
 * Adds the CORS headers of every website response, errors included: only the website's own origin may read
 * it.
 */
export function addFirstPartyHeaders(headers: WritableHeaders, request: Request, webOrigin: string): void {
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  if (request.headers.get("origin") !== webOrigin) return;
  headers.set("Access-Control-Allow-Origin", webOrigin);
  headers.set("Access-Control-Allow-Credentials", "true");
  headers.set("Access-Control-Expose-Headers", "Retry-After, X-Request-Id");
}

function refuseOtherOrigins(headers: WritableHeaders, webOrigin: string): void {
  if ((headers.get("origin") ?? webOrigin) !== webOrigin) throw foreignOriginError();
}

const foreignOriginError = () =>
  new ApiError("forbidden", { param: "Origin", message: "This route accepts requests from the website only." });
