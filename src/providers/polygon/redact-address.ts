/** Shorter parts are words such as `v2`, and no keys. */
const SHORTEST_KEY = 8;

/** The text without the address and its parts: hosts, paths and queries of nodes contain keys. */
export function redactAddress(text: string, url: string): string {
  const { href, host, hostname, pathname, searchParams, username, password } = new URL(url);
  const parts = [
    ...[url, href, host, hostname, username, password],
    ...[...hostname.split("."), ...pathname.split("/"), ...searchParams.values()],
  ];
  return parts
    .filter((part) => part.length >= SHORTEST_KEY)
    .toSorted((a, b) => b.length - a.length)
    .reduce((redacted, part) => redacted.replaceAll(part, "[node]"), text);
}
