import { matchesEtag, presentBody, type Answer } from "./answer.ts";
import type { Operation } from "./operation.ts";
import { fillPath } from "./path-params.ts";
import type { AppliedQuery } from "./query-policy.ts";

export interface Asked {
  readonly operation: Operation;
  readonly query: AppliedQuery;
  readonly pathname: string;
  readonly ifNoneMatch: string | null;
  readonly requestId: string;
  /** What the request cost: the operation's cost, or a batch's units. */
  readonly cost: number;
}

/** An answer as the response to one request. @param cachedAgeSeconds null when it was made for this request */
export function presentAnswer(asked: Asked, answer: Answer, cachedAgeSeconds: number | null): Response {
  const { operation, query } = asked;
  const headers = new Headers({ "content-type": "application/json; charset=utf-8" });
  if (answer.etag !== "") headers.set("ETag", answer.etag);
  if (query.ignored.length > 0) headers.set("X-Query-Ignored", query.ignored.map(encodeURIComponent).join(","));
  if (query.effective !== "" || query.ignored.length > 0) headers.set("X-Effective-Query", query.effective);
  if (operation.alias !== undefined) addDeprecation(headers, operation.alias, asked.pathname);
  if (matchesEtag(asked.ifNoneMatch, answer.etag)) {
    headers.delete("content-type");
    return new Response(null, { status: 304, headers });
  }
  const status = operation.kind === "single" ? (operation.successStatus ?? 200) : 200;
  return new Response(presentBody(answer, { requestId: asked.requestId, cost: asked.cost, cachedAgeSeconds }), { status, headers });
}

function addDeprecation(headers: Headers, alias: NonNullable<Operation["alias"]>, pathname: string): void {
  headers.set("Deprecation", `@${Math.floor(alias.since.getTime() / 1000)}`);
  headers.set("Sunset", alias.sunset.toUTCString());
  headers.set("Link", `<${fillPath(alias.successor, pathname)}>; rel="successor-version"`);
}
