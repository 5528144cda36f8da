const MAX_LENGTH = 2_048;
/** Printable ASCII without spaces, quotes, angle brackets, backslashes and the like: nothing that a parser repairs. */
const URI_CHARACTERS = /^[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+$/;
const LOOPBACK_HOSTS = new Set(["127.0.0.1", "[::1]", "localhost"]);
/** RFC 8252 section 7.1: a scheme that reverses a domain name. It has a dot, so no scheme of a browser has it. */
const PRIVATE_SCHEME = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/;

/**
 * Why a redirect URI cannot be registered; null when it can: https, http to a loopback host, or a private-use
 * scheme. It has no fragment and no user name.
 */
export function refuseRedirectUri(text: string): string | null {
  if (text.length > MAX_LENGTH) return "is longer than 2,048 characters";
  if (text.includes("#")) return "has a fragment";
  if (!URI_CHARACTERS.test(text) || !URL.canParse(text)) return "is not a URI";
  const { protocol, username, password, hostname } = new URL(text);
  if (PRIVATE_SCHEME.test(protocol)) return null;
  if (protocol !== "https:" && protocol !== "http:") return "has a scheme that is not allowed";
  if (username !== "" || password !== "" || /^[^/]*\/\/[^/?]*@/.test(text)) return "has a user name";
  if (!/^https?:\/\/[^/]/i.test(text) || hostname === "") return "is not a URI";
  return protocol === "http:" && !LOOPBACK_HOSTS.has(hostname) ? "is http to a host that is not loopback" : null;
}

/**
 * Whether a request may redirect to a URI: it is one of the registered ones, character by character. Only the
 * port of an http loopback URI may differ (RFC 8252 section 7.3).
 */
export function isRegisteredRedirect(requested: string, registered: readonly string[]): boolean {
  if (registered.includes(requested)) return true;
  if (refuseRedirectUri(requested) !== null) return false;
  const template = withoutLoopbackPort(requested);
  return template !== null && registered.some((uri) => withoutLoopbackPort(uri) === template);
}

/** An http loopback URI without its port; null for any other. */
function withoutLoopbackPort(uri: string): string | null {
  const [, host, rest] = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(\/.*|\?.*)?$/.exec(uri) ?? [];
  return host === undefined ? null : `http://${host}${rest ?? ""}`;
}

/** Adds parameters to a redirect URI, whose own query stays as it is. */
export function withParameters(uri: string, parameters: Readonly<Record<string, string | null>>): string {
  const present = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== null);
  const query = new URLSearchParams(present).toString();
  return `${uri}${uri.includes("?") ? (/[?&]$/.test(uri) ? "" : "&") : "?"}${query}`;
}
