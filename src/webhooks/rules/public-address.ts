import ipaddr from "ipaddr.js";
import { parseIpAddress } from "../../lib/ip-address.ts";

/*
 * The addresses of the public internet. Sources: IANA IPv4 Special-Purpose Address Registry, IANA IPv6
 * Special-Purpose Address Registry, IANA IPv6 Global Unicast Address Assignments. Ranges that the registries
 * call reachable but that lead to anycast relays (AS112, AMT) are excluded too: they contain no event
 * receivers.
 */
const V4_REFUSED = [
  "0.0.0.0/8", // "this network", RFC 791
  "10.0.0.0/8", // private use, RFC 1918
  "100.64.0.0/10", // shared address space, RFC 6598
  "127.0.0.0/8", // loopback, RFC 1122
  "168.63.129.16/32", // the platform's own host inside Azure
  "169.254.0.0/16", // link local, RFC 3927, and cloud metadata services
  "172.16.0.0/12", // private use, RFC 1918
  "192.0.0.0/24", // IETF protocol assignments, RFC 6890
  "192.0.2.0/24", // documentation, RFC 5737
  "192.31.196.0/24", // AS112-v4, RFC 7535
  "192.52.193.0/24", // AMT, RFC 7450
  "192.88.99.0/24", // 6to4 relay anycast, RFC 7526
  "192.168.0.0/16", // private use, RFC 1918
  "192.175.48.0/24", // direct delegation AS112 service, RFC 7534
  "198.18.0.0/15", // benchmarking, RFC 2544
  "198.51.100.0/24", // documentation, RFC 5737
  "203.0.113.0/24", // documentation, RFC 5737
  "224.0.0.0/4", // multicast, RFC 1112
  "240.0.0.0/4", // reserved, RFC 1112, and limited broadcast
].map((range) => ipaddr.IPv4.parseCIDR(range));

/**
 * All other ranges are not global unicast: loopback, IPv4-mapped, NAT64, unique local, link local, multicast,
 * discard, segment routing and more.
 */
const V6_GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

const V6_REFUSED = [
  "2001::/23", // IETF protocol assignments, RFC 2928: Teredo, benchmarking, AMT, ORCHID and others
  "2001:db8::/32", // documentation, RFC 3849
  "2002::/16", // 6to4, RFC 3056: carries any IPv4 address
  "2620:4f:8000::/48", // direct delegation AS112 service, RFC 7534
  "3fff::/20", // documentation, RFC 9637
].map((range) => ipaddr.IPv6.parseCIDR(range));

/**
 * ISATAP interface identifiers (RFC 5214) can carry any IPv4 address behind any prefix. Their first two
 * groups.
 */
const ISATAP = [
  [0x0000, 0x5efe],
  [0x0200, 0x5efe],
] as const;

/**
 * Whether a literal IPv4 or IPv6 address (without brackets) is a public internet address. False if the text
 * is not an address.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseIpAddress(text);
  if (address === null) return false;
  if (!("parts" in address)) return !V4_REFUSED.some((range) => address.match(range));
  const [, , , , fifth, sixth] = address.parts;
  const carriesV4 = ISATAP.some(([first, second]) => fifth === first && sixth === second);
  return address.match(V6_GLOBAL_UNICAST) && !carriesV4 && !V6_REFUSED.some((range) => address.match(range));
}

/** Whether the text is an IPv4 address as four decimal numbers, or an IPv6 address in any of its forms. */
export const isAddress = (text: string): boolean => parseIpAddress(text) !== null;
