import ipaddr, { type IPv4, type IPv6 } from "ipaddr.js";

/** Four decimal numbers without leading zeros, alone or as the tail of an IPv6 address. */
const DECIMAL_IPV4 = /(^|:)(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/;

/**
 * Parses an IPv4 address of four decimal numbers, or an IPv6 address in any form of RFC 4291 section 2.2.
 * Null for other texts. The library alone also accepts octal, hexadecimal and shortened IPv4 addresses and
 * zone identifiers.
 */
export function parseIpAddress(text: string): IPv4 | IPv6 | null {
  const isDotted = text.includes(".");
  if (text.includes("%") || (isDotted && !DECIMAL_IPV4.test(text))) return null;
  try {
    if (!text.includes(":")) return isDotted ? ipaddr.IPv4.parse(text) : null;
    // The library reads `::192.0.2.1` as `::ffff:192.0.2.1`.
    return ipaddr.IPv6.parse(text.replace(/^::(?=[\d.]+$)/, "0::"));
  } catch {
    return null;
  }
}

const OCTET = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
/** What `parseIpAddress` accepts as IPv4. */
const IPV4 = new RegExp(`^${OCTET}(\\.${OCTET}){3}$`);

/** Whether `parseIpAddress` accepts a text, without building the address where it is IPv4. */
export const isIpAddress = (text: string): boolean => IPV4.test(text) || parseIpAddress(text) !== null;
