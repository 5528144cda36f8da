/** A year. */
const HSTS = "max-age=31536000";
const CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'";

export interface AnswerFacts {
  readonly isHttps: boolean;
  /** The website's routes take a cookie. */
  readonly isWebsite: boolean;
  /** Whether the operation is behind a key. */
  readonly takesKey: boolean;
}

/** What every answer of both origins carries, errors and redirects too: the only place that sets these headers, but for what an answer says of its own. */
export function completeHeaders(headers: Headers, { isHttps, isWebsite, takesKey }: AnswerFacts): void {
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("Referrer-Policy", "no-referrer");
  if (isHttps) headers.set("Strict-Transport-Security", HSTS);
  // A page of the website may allow itself more.
  if (!headers.has("Content-Security-Policy")) headers.set("Content-Security-Policy", CONTENT_POLICY);
  // Even a public answer tells its caller's budget. What may be kept says so itself.
  if (isWebsite || !headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
  addVary(headers, isWebsite ? ["Origin", "Cookie"] : takesKey ? ["Origin", "Authorization"] : ["Origin"]);
}

function addVary(headers: Headers, names: readonly string[]): void {
  const present = (headers.get("Vary") ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const known = new Set(present.map((name) => name.toLowerCase()));
  headers.set("Vary", [...present, ...names.filter((name) => !known.has(name.toLowerCase()))].join(", "));
}
