import { parseIpAddress } from "./ip-address.ts";

/**
 * The network that identifies a client for rate limits. An IPv6 customer owns a whole /64 and could use a new
 * address for every request, so the /64 counts as one client. An IPv4 address, also in its IPv6-mapped form,
 * is its own network.
 *
 * @param ip a valid address
 * @returns canonical text, `203.0.113.7` or `2001:db8:0:7::/64`
 */
export function networkOf(ip: string): string {
  if (!ip.includes(":")) return ip;
  const address = parseIpAddress(ip);
  if (address === null || !("parts" in address)) throw new RangeError("not an IP address");
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString();
  const prefix = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${prefix.join(":")}::/64`;
}
