import { z } from "zod";

const Address = z.union([z.ipv4(), z.ipv6()]);

/** Who calls without Cloudflare in front: the machine itself. */
const LOCAL_IP = "127.0.0.1";

/**
 * The caller's address. Cloudflare sets `CF-Connecting-IP` on every request and lets no caller send its own; a request without it (or, on
 * a local run, with something that is no address) did not come through Cloudflare, and all of those share one budget.
 */
export function clientIp(headers: Headers): string {
  const address = Address.safeParse(headers.get("cf-connecting-ip"));
  return address.success ? address.data : LOCAL_IP;
}
