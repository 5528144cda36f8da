import { parse, serialize } from "hono/utils/cookie";
import type { Config } from "../config.ts";

type CookieConfig = Pick<Config, "webBaseUrl" | "keyPrefix">;

/**
 * Whether cookies are Secure. They are, except on http://localhost, where browsers would not store Secure
 * cookies.
 */
export function areCookiesSecure({ webBaseUrl }: Pick<Config, "webBaseUrl">): boolean {
  const { protocol, hostname } = new URL(webBaseUrl);
  return !(protocol === "http:" && hostname === "localhost");
}

/**
 * Prefix of the website's cookie names. Browsers accept a `__Host-` cookie only from the host itself, with
 * Secure and Path=/ and without Domain, so that no other host of the domain can set one.
 */
export const cookiePrefix = (config: CookieConfig): string =>
  `${areCookiesSecure(config) ? "__Host-" : ""}${config.keyPrefix}`;

/** The value of one of the website's cookies; null when absent. */
export function readCookie(headers: Headers, config: CookieConfig, name: string): string | null {
  const fullName = `${cookiePrefix(config)}.${name}`;
  return parse(headers.get("cookie") ?? "", fullName)[fullName] ?? null;
}

/**
 * A `Set-Cookie` header.
 *
 * @param maxAgeSeconds 0 deletes the cookie
 */
export function presentCookie(config: CookieConfig, name: string, value: string, maxAgeSeconds: number): string {
  return serialize(`${cookiePrefix(config)}.${name}`, value, {
    path: "/",
    httpOnly: true,
    sameSite: "Lax",
    secure: areCookiesSecure(config),
    maxAge: maxAgeSeconds,
  });
}
