import { matchesEtag, presentBody, type SerializedResponse } from "../cache/serialized-response.ts";
import type { Operation, RedirectOperation } from "../operation.ts";
import { fillPath } from "../request/path-params.ts";
import type { AppliedQuery } from "../request/query-policy.ts";
import { HeaderFields } from "./header-fields.ts";
import type { Reply } from "./reply.ts";

export interface ResponseContext {
  readonly operation: Operation;
  readonly query: AppliedQuery;
  readonly pathname: string;
  readonly ifNoneMatch: string | null;
  readonly requestId: string;
  /** Cost of the request; null for a batch, whose response states the reserved units itself. */
  readonly cost: number | null;
}

/**
 * The response to one request.
 *
 * @param cachedAgeSeconds null when the body was computed for this request
 */
export function presentResponse(
  responseContext: ResponseContext,
  answer: SerializedResponse,
  cachedAgeSeconds: number | null,
): Reply {
  const { operation } = responseContext;
  const headers = successHeaders(responseContext, "application/json; charset=utf-8");
  if (answer.etag !== "") {
    headers.set("ETag", answer.etag);
    // The client may store the response but must revalidate it on each use.
    headers.set("Cache-Control", "private, no-cache");
  }
  if (matchesEtag(responseContext.ifNoneMatch, answer.etag)) {
    headers.delete("content-type");
    return { status: 304, headers, body: null };
  }
  const isReused = answer.isReused === true;
  const status = operation.kind === "single" && !isReused ? (operation.successStatus ?? 200) : 200;
  const cost = isReused ? 0 : responseContext.cost;
  const body = presentBody(answer, { requestId: responseContext.requestId, cost, cachedAgeSeconds });
  return { status, headers, body };
}

/** The response of a text operation. */
export const presentText = (responseContext: ResponseContext, document: string): Reply => ({
  status: 200,
  headers: successHeaders(responseContext, "text/markdown; charset=utf-8"),
  body: document,
});

/**
 * The response of a stream operation.
 *
 * @param body null for a HEAD request, which opens no stream
 */
export function presentStream(responseContext: ResponseContext, body: ReadableStream<Uint8Array> | null): Reply {
  return { status: 200, headers: successHeaders(responseContext, "text/event-stream"), body };
}

/** A redirect response. Without `cacheControl` it gets the default Cache-Control of every response. */
export function presentRedirect({ status, cacheControl }: RedirectOperation, location: string): Reply {
  const headers = new HeaderFields({ Location: location });
  if (cacheControl !== undefined) headers.set("Cache-Control", cacheControl);
  return { status, headers, body: null };
}

/** The headers of every success: media type, query report and, for an alias, the deprecation notice. */
function successHeaders({ operation, query, pathname }: ResponseContext, contentType: string): HeaderFields {
  const headers = new HeaderFields({ "content-type": contentType });
  if (query.ignored.length > 0) headers.set("X-Query-Ignored", query.ignored.map(encodeURIComponent).join(","));
  if (query.effective !== "" || query.ignored.length > 0) headers.set("X-Effective-Query", query.effective);
  if (operation.alias !== undefined)
    for (const [name, value] of Object.entries(describeDeprecation(operation.alias, pathname)))
      headers.set(name, value);
  return headers;
}

/** The headers of a deprecated or retired spelling. */
export const describeDeprecation = (
  { since, sunset, successor }: NonNullable<Operation["alias"]>,
  pathname: string,
): Record<string, string> => ({
  Deprecation: `@${Math.floor(since.getTime() / 1000)}`,
  Sunset: sunset.toUTCString(),
  Link: `<${fillPath(successor, pathname)}>; rel="successor-version"`,
});
