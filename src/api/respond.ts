import { matchesEtag, presentBody, type Answer } from "./answer.ts";
import type { Operation, RedirectOperation } from "./operation.ts";
import { fillPath } from "./path-params.ts";
import type { AppliedQuery } from "./query-policy.ts";

export interface Asked {
  readonly operation: Operation;
  readonly query: AppliedQuery;
  readonly pathname: string;
  readonly ifNoneMatch: string | null;
  readonly requestId: string;
  /** What the request cost; null for a batch, whose answer has the units it reserved. */
  readonly cost: number | null;
}

/** An answer as the response to one request. @param cachedAgeSeconds null when it was made for this request */
export function presentAnswer(asked: Asked, answer: Answer, cachedAgeSeconds: number | null): Response {
  const { operation } = asked;
  const headers = describeAnswer(asked, "application/json; charset=utf-8");
  if (answer.etag !== "") {
    headers.set("ETag", answer.etag);
    // Its own client may keep it, and asks each time whether it still holds.
    headers.set("Cache-Control", "private, no-cache");
  }
  if (matchesEtag(asked.ifNoneMatch, answer.etag)) {
    headers.delete("content-type");
    return new Response(null, { status: 304, headers });
  }
  const status = operation.kind === "single" ? (operation.successStatus ?? 200) : 200;
  return new Response(presentBody(answer, { requestId: asked.requestId, cost: asked.cost, cachedAgeSeconds }), { status, headers });
}

/** A text operation's document as the response to one request. */
export const presentText = (asked: Asked, document: string): Response =>
  new Response(document, { status: 200, headers: describeAnswer(asked, "text/markdown; charset=utf-8") });

/** A stream as the response to one request. @param body null for a HEAD, which begins none */
export function presentStream(asked: Asked, body: ReadableStream<Uint8Array> | null): Response {
  return new Response(body, { status: 200, headers: describeAnswer(asked, "text/event-stream") });
}

/** A redirect. Where it may not be kept, it is like any other answer. */
export function presentRedirect({ status, cacheControl }: RedirectOperation, location: string): Response {
  const headers = new Headers({ Location: location });
  if (cacheControl !== undefined) headers.set("Cache-Control", cacheControl);
  return new Response(null, { status, headers });
}

/** The headers of every success: its media type, the query report, and that its path is an old one. */
function describeAnswer({ operation, query, pathname }: Asked, contentType: string): Headers {
  const headers = new Headers({ "content-type": contentType });
  if (query.ignored.length > 0) headers.set("X-Query-Ignored", query.ignored.map(encodeURIComponent).join(","));
  if (query.effective !== "" || query.ignored.length > 0) headers.set("X-Effective-Query", query.effective);
  if (operation.alias !== undefined) addDeprecation(headers, operation.alias, pathname);
  return headers;
}

function addDeprecation(headers: Headers, alias: NonNullable<Operation["alias"]>, pathname: string): void {
  headers.set("Deprecation", `@${Math.floor(alias.since.getTime() / 1000)}`);
  headers.set("Sunset", alias.sunset.toUTCString());
  headers.set("Link", `<${fillPath(alias.successor, pathname)}>; rel="successor-version"`);
}
