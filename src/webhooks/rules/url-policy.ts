import { isAddress, isPublicAddress } from "./public-address.ts";

/** A receiver URL whose form has been accepted. The addresses of its host are checked at every use. */
export interface Receiver {
  /** The URL that is requested: normalised, without fragment and without a trailing dot of the host. */
  readonly url: string;
  /** The key by which two URLs are equal. */
  readonly key: string;
  /** A host name or a literal address, without brackets. */
  readonly host: string;
  /** A loopback address, allowed in development only. */
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

export type ReceiverUrlResult =
  | { readonly kind: "accepted"; readonly receiver: Receiver }
  | { readonly kind: "refused"; readonly reason: ReceiverRefusal; readonly words: string };

export interface UrlPolicy {
  /** Development only: allows http and https to localhost, 127.0.0.0/8 and [::1], on any port. */
  readonly allowLoopback: boolean;
  /**
   * The hosts of this service, as `URL.host` writes them; empty by default. A loopback receiver on another
   * port is not one of them.
   */
  readonly ownHosts?: readonly string[];
}

const MESSAGES: Readonly<Record<ReceiverRefusal, string>> = {
  malformed: "The URL is malformed.",
  too_long: "The URL must have at most 2,048 characters after percent-encoding.",
  not_https: "The URL must start with https://.",
  has_credentials: "The URL must not contain a user name or password.",
  port_not_allowed: "The port must be 443.",
  host_not_public: "The host must be a public domain name.",
  host_is_own: "The host must not be this service itself.",
  address_not_public: "The address must be a public internet address.",
  address_not_canonical: "An IPv4 address must be written as four decimal numbers.",
};

/** Also applies to the normalised URL: a longer one does not fit the unique index of an account's URLs. */
const MAX_LENGTH = 2048;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Top-level names outside the public DNS: RFC 6761, 6762, 7686, 8375 (below arpa) and 9476; `internal`,
 * reserved by ICANN; and the never delegated names of RFC 6762 appendix G that private networks use.
 */
const PRIVATE_SUFFIXES = [
  ...["localhost", "test", "example", "invalid", "local", "onion", "arpa", "alt"],
  ...["internal", "intranet", "private", "corp", "home", "lan", "localdomain"],
];
/**
 * Blanks, control characters and zero-width marks, which the parser removes, and backslashes, which it
 * converts.
 */
const SILENTLY_REPAIRED = /[\\\p{C}\p{Z}]/u;

/**
 * Parses a webhook URL and decides whether it is accepted. The same parser reads the text here and for later
 * requests, so that both read it equally; text that the parser would silently repair is refused.
 */
export function parseReceiverUrl(text: string, { allowLoopback, ownHosts = [] }: UrlPolicy): ReceiverUrlResult {
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
  // The parser has removed 443, the default port of https.
  if (parsed.port !== "") return refused("port_not_allowed");
  if (ownHosts.some((own) => new URL(`https://${own}`).hostname === parsed.hostname)) return refused("host_is_own");
  const reason = isAddress(host) ? checkAddress(host, authority) : isPublicName(host) ? null : "host_not_public";
  return reason === null ? accepted(parsed, host, false) : refused(reason);
}

/**
 * The parser has converted plain numbers, octal and hexadecimal parts, and digits of other scripts to an
 * address; these spellings are refused.
 */
function checkAddress(host: string, authority: string): ReceiverRefusal | null {
  if (!isPublicAddress(host)) return "address_not_public";
  const isAsWritten = host.includes(":") || authority.replace(/:\d*$/, "").replace(/\.$/, "") === host;
  return isAsWritten ? null : "address_not_canonical";
}

function isPublicName(host: string): boolean {
  const labels = host.split(".");
  const last = labels.at(-1) ?? "";
  return (
    labels.length > 1 &&
    host.length <= 253 &&
    labels.every((label) => LABEL.test(label)) &&
    !PRIVATE_SUFFIXES.includes(last)
  );
}

const isLoopbackHost = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);

function accepted(parsed: URL, host: string, isLoopback: boolean): ReceiverUrlResult {
  // The parser has lower-cased scheme and host and removed the default port, so equal receivers have equal
  // URLs.
  return { kind: "accepted", receiver: { url: parsed.href, key: parsed.href, host, isLoopback } };
}

const refused = (reason: ReceiverRefusal): ReceiverUrlResult => ({ kind: "refused", reason, words: MESSAGES[reason] });
