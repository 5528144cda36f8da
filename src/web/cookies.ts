import { parse, serialize } from "hono/utils/cookie";
import type { Config } from "../config.ts";

type CookieConfig = Pick<Config, "webBaseUrl" | "keyPrefix">;

/**
 * Whether cookies are for https alone. Only a website on http://localhost, where browsers would not keep such cookies, has plain ones.
 */
export function areCookiesSecure({ webBaseUrl }: Pick<Config, "webBaseUrl">): boolean {
  const { protocol, hostname } = new URL(webBaseUrl);
  return !(protocol === "http:" && hostname === "localhost");
}

/**
 * What the names of the website's cookies begin with. Browsers take a `__Host-` cookie only from the host itself, with Secure and Path=/ and
 * without Domain, so that no other host of the domain can plant one.
 */
export const cookiePrefix = (config: CookieConfig): string => `${areCookiesSecure(config) ? "__Host-" : ""}${config.keyPrefix}`;

/** The value of a cookie that the website may have set; null without one. */
export function readCookie(headers: Headers, config: CookieConfig, name: string): string | null {
  const fullName = `${cookiePrefix(config)}.${name}`;
  return parse(headers.get("cookie") ?? "", fullName)[fullName] ?? null;
}

/** A `Set-Cookie` header. @param maxAgeSeconds 0 removes the cookie */
export function presentCookie(config: CookieConfig, name: string, value: string, maxAgeSeconds: number): string {
  return serialize(`${cookiePrefix(config)}.${name}`, value, {
    path: "/",
    httpOnly: true,
    sameSite: "Lax",
    secure: areCookiesSecure(config),
    maxAge: maxAgeSeconds,
  });
}
