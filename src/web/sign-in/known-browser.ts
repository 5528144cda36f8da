import type { Config } from "../../config.ts";
import { presentCookie, readCookie } from "../cookies.ts";
import { issueTicket, verifyTicket } from "./tickets.ts";

const COOKIE = "known_browser";
const COOKIE_SECONDS = 365 * 86_400;
const purposeOf = (email: string) => `known browser\n${email}`;

/**
 * Rate-limit subject of a browser that has signed in with this address before; null for any other browser.
 */
export async function findKnownBrowser(headers: Headers, config: Config, email: string): Promise<string | null> {
  const id = await verifyTicket(config, purposeOf(email), readCookie(headers, config, COOKIE));
  return id === null ? null : `browser ${id}`;
}

/**
 * The `Set-Cookie` header that marks a browser as having signed in with this address. It is not a session. A
 * known browser keeps its id, and with it its spent allowance.
 */
export async function rememberBrowser(headers: Headers, config: Config, email: string): Promise<string> {
  const current = readCookie(headers, config, COOKIE);
  const isKnown = current !== null && (await verifyTicket(config, purposeOf(email), current)) !== null;
  return presentCookie(
    config,
    COOKIE,
    isKnown ? current : (await issueTicket(config, purposeOf(email))).ticket,
    COOKIE_SECONDS,
  );
}
