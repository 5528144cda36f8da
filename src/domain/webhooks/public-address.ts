/** An address and how many of its leading bits count. */
type Range = readonly [string, number];

/*
 * Which addresses belong to the public internet. Sources: IANA IPv4 Special-Purpose Address Registry, IANA IPv6 Special-Purpose Address
 * Registry, IANA IPv6 Global Unicast Address Assignments. Ranges that the registries call reachable but that lead to anycast relays
 * (AS112, AMT) are left out too: nobody receives events there.
 */
const V4_REFUSED: readonly Range[] = [
  ["0.0.0.0", 8], // "this network", RFC 791
  ["10.0.0.0", 8], // private use, RFC 1918
  ["100.64.0.0", 10], // shared address space, RFC 6598
  ["127.0.0.0", 8], // loopback, RFC 1122
  ["168.63.129.16", 32], // inside Azure the platform's own host answers here
  ["169.254.0.0", 16], // link local, RFC 3927, and the metadata services of clouds
  ["172.16.0.0", 12], // private use, RFC 1918
  ["192.0.0.0", 24], // IETF protocol assignments, RFC 6890
  ["192.0.2.0", 24], // documentation, RFC 5737
  ["192.31.196.0", 24], // AS112-v4, RFC 7535
  ["192.52.193.0", 24], // AMT, RFC 7450
  ["192.88.99.0", 24], // 6to4 relay anycast, RFC 7526
  ["192.168.0.0", 16], // private use, RFC 1918
  ["192.175.48.0", 24], // direct delegation AS112 service, RFC 7534
  ["198.18.0.0", 15], // benchmarking, RFC 2544
  ["198.51.100.0", 24], // documentation, RFC 5737
  ["203.0.113.0", 24], // documentation, RFC 5737
  ["224.0.0.0", 4], // multicast, RFC 1112
  ["240.0.0.0", 4], // reserved, RFC 1112, and limited broadcast
];

/** All else is no global unicast: loopback, IPv4-mapped, NAT64, unique local, link local, multicast, discard, segment routing and more. */
const V6_GLOBAL_UNICAST: Range = ["2000::", 3];

const V6_REFUSED: readonly Range[] = [
  ["2001::", 23], // IETF protocol assignments, RFC 2928: Teredo, benchmarking, AMT, ORCHID and others
  ["2001:db8::", 32], // documentation, RFC 3849
  ["2002::", 16], // 6to4, RFC 3056: carries any IPv4 address
  ["2620:4f:8000::", 48], // direct delegation AS112 service, RFC 7534
  ["3fff::", 20], // documentation, RFC 9637
];

/** Interface identifiers of ISATAP (RFC 5214) carry any IPv4 address behind any prefix. */
const ISATAP = [0x0000_5efen, 0x0200_5efen];

/** Whether a literal IPv4 or IPv6 address (without brackets) is one that anybody on the internet may have. False for what is no address. */
export function isPublicAddress(text: string): boolean {
  const v4 = parseV4(text);
  if (v4 !== null) return !V4_REFUSED.some((range) => isWithin(v4, range, 32));
  const v6 = parseV6(text);
  if (v6 === null) return false;
  const carriesV4 = ISATAP.includes((v6 >> 32n) & 0xffff_ffffn);
  return isWithin(v6, V6_GLOBAL_UNICAST, 128) && !carriesV4 && !V6_REFUSED.some((range) => isWithin(v6, range, 128));
}

function isWithin(address: bigint, [base, bits]: Range, width: 32 | 128): boolean {
  const start = width === 32 ? parseV4(base) : parseV6(base);
  const rest = BigInt(width - bits);
  return start !== null && address >> rest === start >> rest;
}

/** Whether the text is an IPv4 address as four decimal numbers, or an IPv6 address in any of its forms. */
export const isAddress = (text: string): boolean => parseV4(text) !== null || parseV6(text) !== null;

/** Four decimal numbers without leading zeros, which some systems read as octal. */
function parseV4(text: string): bigint | null {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)) return null;
  return parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

/** RFC 4291 section 2.2, the dotted tail included; a zone is no part of it. */
function parseV6(text: string): bigint | null {
  const dotted = /^(.*:)([^:]*\.[^:]*)$/.exec(text);
  const tail = dotted === null ? null : parseV4(dotted[2] ?? "");
  if (dotted !== null && tail === null) return null;
  const groups = tail === null ? text : `${dotted?.[1]}${(tail >> 16n).toString(16)}:${(tail & 0xffffn).toString(16)}`;
  const halves = groups.split("::");
  if (halves.length > 2) return null;
  const [head = [], rest = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const missing = 8 - head.length - rest.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return null;
  const all = [...head, ...Array.from({ length: missing }, () => "0"), ...rest];
  return all.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
    ? all.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n)
    : null;
}
