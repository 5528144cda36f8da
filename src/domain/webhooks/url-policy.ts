import { isAddress, isPublicAddress } from "./public-address.ts";

/** Where events are posted, once its form has been judged. What its name resolves to is judged at every use. */
export interface Receiver {
  /** What is requested: normalised, without fragment and without the dot that may end a host. */
  readonly url: string;
  /** By which two URLs are the same. */
  readonly key: string;
  /** A name or a literal address, without brackets. */
  readonly host: string;
  /** On this machine, which only development lets through. */
  readonly isLoopback: boolean;
}

export type ReceiverRefusal =
  | "malformed"
  | "too_long"
  | "not_https"
  | "has_credentials"
  | "port_not_allowed"
  | "host_not_public"
  | "host_is_own"
  | "address_not_public"
  | "address_not_canonical";

export type JudgedUrl =
  | { readonly kind: "accepted"; readonly receiver: Receiver }
  | { readonly kind: "refused"; readonly reason: ReceiverRefusal; readonly words: string };

export interface UrlPolicy {
  /** Development only: http and https to localhost, 127.0.0.0/8 and [::1], on any port. */
  readonly allowLoopback: boolean;
  /** Where this product itself answers, as `URL.host` writes it; none unless given. A loopback receiver on another port is no such host. */
  readonly ownHosts?: readonly string[];
}

const WORDS: Readonly<Record<ReceiverRefusal, string>> = {
  malformed: "The URL is not well formed.",
  too_long: "The URL must be of 2,048 characters at most, with all that has to be percent-encoded.",
  not_https: "The URL must begin with https://.",
  has_credentials: "The URL must not carry a user name or password.",
  port_not_allowed: "The port must be 443.",
  host_not_public: "The host must be a public domain name.",
  host_is_own: "The host is this service itself.",
  address_not_public: "The address is not one of the public internet.",
  address_not_canonical: "An IPv4 address must be written as four decimal numbers.",
};

/** As it is requested, too: longer ones do not fit the index that tells an account's URLs apart. */
const MAX_LENGTH = 2048;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Top-level names that are nobody's on the internet: RFC 6761, 6762, 7686, 8375 (below arpa) and 9476; `internal`, reserved by ICANN; and the
 * never delegated ones of RFC 6762 appendix G that private networks use.
 */
const PRIVATE_SUFFIXES = [
  ...["localhost", "test", "example", "invalid", "local", "onion", "arpa", "alt"],
  ...["internal", "intranet", "private", "corp", "home", "lan", "localdomain"],
];
/** Blanks, controls and marks without width, which the parser drops, and backslashes, which it turns. */
const SILENTLY_REPAIRED = /[\\\p{C}\p{Z}]/u;

/**
 * What a webhook's URL stands for, or why it is not taken. The text is read by the same parser that later requests it, so that no two
 * readings of one text can differ; what that parser would silently repair is refused.
 */
export function judgeUrl(text: string, { allowLoopback, ownHosts = [] }: UrlPolicy): JudgedUrl {
  if (text.length > MAX_LENGTH) return refused("too_long");
  if (SILENTLY_REPAIRED.test(text)) return refused("malformed");
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i.exec(text)?.[1];
  const parsed = URL.canParse(text) ? new URL(text) : null;
  if (authority === undefined || parsed === null || parsed.hostname === "") return refused("malformed");
  if (authority.includes("@")) return refused("has_credentials");
  parsed.hostname = parsed.hostname.replace(/\.$/, "");
  parsed.hash = "";
  if (parsed.href.length > MAX_LENGTH) return refused("too_long");
  const host = parsed.hostname.replace(/^\[(.*)\]$/, "$1");
  if (allowLoopback && isLoopbackHost(host) && /^https?:$/.test(parsed.protocol)) {
    return ownHosts.includes(parsed.host) ? refused("host_is_own") : accepted(parsed, host, true);
  }
  if (parsed.protocol !== "https:") return refused("not_https");
  // The parser has left out 443, the port of https.
  if (parsed.port !== "") return refused("port_not_allowed");
  if (ownHosts.some((own) => new URL(`https://${own}`).hostname === parsed.hostname)) return refused("host_is_own");
  const reason = isAddress(host) ? judgeAddress(host, authority) : isPublicName(host) ? null : "host_not_public";
  return reason === null ? accepted(parsed, host, false) : refused(reason);
}

/** Numbers, octal and hexadecimal parts, and digits of other scripts have become an address by now; they are refused for their form. */
function judgeAddress(host: string, authority: string): ReceiverRefusal | null {
  if (!isPublicAddress(host)) return "address_not_public";
  const isAsWritten = host.includes(":") || authority.replace(/:\d*$/, "").replace(/\.$/, "") === host;
  return isAsWritten ? null : "address_not_canonical";
}

function isPublicName(host: string): boolean {
  const labels = host.split(".");
  const last = labels.at(-1) ?? "";
  return labels.length > 1 && host.length <= 253 && labels.every((label) => LABEL.test(label)) && !PRIVATE_SUFFIXES.includes(last);
}

const isLoopbackHost = (host: string): boolean => host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);

function accepted(parsed: URL, host: string, isLoopback: boolean): JudgedUrl {
  // The parser has lowered scheme and host and left out the scheme's own port: what remains tells receivers apart.
  return { kind: "accepted", receiver: { url: parsed.href, key: parsed.href, host, isLoopback } };
}

const refused = (reason: ReceiverRefusal): JudgedUrl => ({ kind: "refused", reason, words: WORDS[reason] });
