const GROUPS = 8;

/**
 * What of an address tells one caller from another. An IPv6 customer owns a whole /64 and could use a new address of it for every request,
 * so all of them are one; an IPv4 address, also in its IPv6 form, stands for itself.
 *
 * @param ip a valid address
 * @returns `203.0.113.7`, or `2001:db8:0:7::/64`, however the address was written
 */
export function networkOf(ip: string): string {
  if (!ip.includes(":")) return ip;
  const groups = parseGroups(ip);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join(".");
  }
  const prefix = groups.slice(0, 4).map((group) => group.toString(16));
  return `${prefix.join(":")}::/64`;
}

function parseGroups(ip: string): number[] {
  const [head = [], tail] = ip.split("::").map(groupsOf);
  if (tail === undefined) return head;
  return [...head, ...Array<number>(GROUPS - head.length - tail.length).fill(0), ...tail];
}

/** The last 32 bits may be written as an IPv4 address. */
function groupsOf(text: string): number[] {
  if (text === "") return [];
  return text.split(":").flatMap((part) => {
    const [a, b, c, d] = part.split(".").map(Number);
    return b === undefined || c === undefined || d === undefined ? [Number.parseInt(part, 16)] : [((a ?? 0) << 8) | b, (c << 8) | d];
  });
}
