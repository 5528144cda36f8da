const LOOPBACK_HOSTS: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Whether pages of an origin may call the endpoint: the service's own, and those of the loopback interface. The
 * check prevents DNS rebinding.
 */
export function isAllowedOrigin(origin: string, ownBaseUrls: readonly string[]): boolean {
  const url = URL.parse(origin);
  // An Origin header has no path; `null` and malformed texts do not parse.
  if (url === null || url.origin !== origin) return false;
  if (ownBaseUrls.some((own) => new URL(own).origin === origin)) return true;
  return (url.protocol === "http:" || url.protocol === "https:") && LOOPBACK_HOSTS.includes(url.hostname);
}
