import type { SessionLookup } from "../../auth/authenticate-session.ts";
import { OAuthError } from "../../oauth/oauth-error.ts";
import { readForm, type Parameters } from "../../oauth/endpoints/read-parameters.ts";
import { mayHoldTokens } from "../../oauth/rules/states.ts";
import { getAccountOwner } from "../../queries/accounts/account.ts";
import type { SignInRequest } from "../web-exchange.ts";
import type { FormSession } from "./form-ticket.ts";

/** One request for a page, with its dependencies. */
export interface PageRequest extends SignInRequest {
  readonly readSession: (headers: Headers) => Promise<SessionLookup>;
}

/** The signed-in person who sees a page. */
export interface Viewer {
  readonly accountId: number;
  readonly email: string;
  readonly session: FormSession;
}

/** Paths of the pages to which a sign-in may return. */
const RETURN_PATHS = ["/oauth/authorize", "/oauth/device", "/oauth/grants"];

/**
 * The page to show after the sign-in. Anything but one of our own pages becomes the page of grants, so that the
 * sign-in redirects to no other site.
 */
export function safeReturn(text: string | null, webBaseUrl: string): string {
  const { origin } = new URL(webBaseUrl);
  const target = text !== null && text.startsWith("/") ? URL.parse(text, origin) : null;
  if (target === null || target.origin !== origin || !RETURN_PATHS.includes(target.pathname)) return "/oauth/grants";
  return `${target.pathname}${target.search}`;
}

/**
 * The signed-in viewer; null without a session.
 *
 * @throws OAuthError for an account that cannot be used, or that has spent its budget
 */
export async function findViewer({ exchange, runtime, readSession }: PageRequest): Promise<Viewer | null> {
  const { request, startedAt, trace } = exchange;
  const lookup = await readSession(request.headers);
  if (lookup.kind === "signed_out") return null;
  if (lookup.kind === "limited") {
    throw new OAuthError("temporarily_unavailable", "This account has used its requests for this minute.", {
      status: 429,
      headers: { "Retry-After": "60" },
    });
  }
  const { accountId } = lookup;
  trace.accountId = accountId;
  const { email, state } = await getAccountOwner(runtime.db, accountId);
  if (!mayHoldTokens(state)) throw new OAuthError("access_denied", "This account cannot be used.", { status: 403 });
  const session = { config: runtime.config, headers: request.headers, accountId, now: startedAt };
  return { accountId, email, session };
}

/**
 * The form of a request that one of our own pages has sent. Browsers state the origin of every form, and other
 * sites cannot change it.
 *
 * @throws OAuthError
 */
export async function readOwnForm({ exchange, runtime }: PageRequest): Promise<Parameters> {
  const { request } = exchange;
  if (request.headers.get("origin") !== new URL(runtime.config.webBaseUrl).origin)
    throw new OAuthError("access_denied", "The form was not sent by a page of this website.", { status: 403 });
  return readForm(request);
}

/** @throws OAuthError when the form of a page has expired, or belongs to another session */
export const staleForm = (): OAuthError =>
  new OAuthError("invalid_request", "This page has expired. Go back to the application and start again.");
