import { isIpAddress } from "../../lib/ip-address.ts";

/** The address of requests that did not pass through Cloudflare: local development. */
const LOCAL_IP = "127.0.0.1";

/**
 * The client's IP address. Cloudflare sets `CF-Connecting-IP` on every request and overwrites a value sent by
 * the client. A request without a valid value did not pass through Cloudflare; all such requests share one
 * budget.
 */
export function clientIp(headers: Headers): string {
  const text = headers.get("cf-connecting-ip");
  return text !== null && isIpAddress(text) ? text : LOCAL_IP;
}
