import type { WritableHeaders } from "./header-fields.ts";

/** One year. */
const HSTS = "max-age=31536000";
const CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'";

export interface ResponseTraits {
  readonly isHttps: boolean;
  /** Whether the route belongs to the website, whose routes read a cookie. */
  readonly isWebsite: boolean;
  /** Whether the operation requires an API key. */
  readonly requiresKey: boolean;
}

/** Adds the headers that every response of both origins carries, errors and redirects included. */
export function completeHeaders(headers: WritableHeaders, { isHttps, isWebsite, requiresKey }: ResponseTraits): void {
  headers.set("X-Content-Type-Options", "nosniff");
  // A page with forms sets a wider policy of its own: under this one a form sends no Origin.
  if (!headers.has("Referrer-Policy")) headers.set("Referrer-Policy", "no-referrer");
  if (isHttps) headers.set("Strict-Transport-Security", HSTS);
  // A page of the website may set a wider policy of its own.
  if (!headers.has("Content-Security-Policy")) headers.set("Content-Security-Policy", CONTENT_POLICY);
  // Even a public response carries the caller's budget. A cacheable response sets its own Cache-Control.
  if (isWebsite || !headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
  addVary(headers, isWebsite ? ["Origin", "Cookie"] : requiresKey ? ["Origin", "Authorization"] : ["Origin"]);
}

function addVary(headers: WritableHeaders, names: readonly string[]): void {
  const vary = headers.get("Vary");
  if (vary === null) return headers.set("Vary", names.join(", "));
  const present = vary
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const known = new Set(present.map((name) => name.toLowerCase()));
  headers.set("Vary", [...present, ...names.filter((name) => !known.has(name.toLowerCase()))].join(", "));
}
