import type { Config } from "../config.ts";
import { presentCookie, readCookie } from "./cookies.ts";
import { makeTicket, openTicket } from "./tickets.ts";

const COOKIE = "known_browser";
const COOKIE_SECONDS = 365 * 86_400;
const purposeOf = (email: string) => `known browser\n${email}`;

/** The browser by which an address has signed in before, as the subject of its allowances; null for any other browser. */
export async function findKnownBrowser(headers: Headers, config: Config, email: string): Promise<string | null> {
  const id = await openTicket(config, purposeOf(email), readCookie(headers, config, COOKIE));
  return id === null ? null : `browser ${id}`;
}

/**
 * The `Set-Cookie` header by which a browser is known from now on for one that signed in with this address. It is no session. A browser that
 * is known keeps its name, and with it what it has spent.
 */
export async function rememberBrowser(headers: Headers, config: Config, email: string): Promise<string> {
  const own = readCookie(headers, config, COOKIE);
  const isKnown = own !== null && (await openTicket(config, purposeOf(email), own)) !== null;
  return presentCookie(config, COOKIE, isKnown ? own : (await makeTicket(config, purposeOf(email))).ticket, COOKIE_SECONDS);
}
