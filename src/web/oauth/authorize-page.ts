import { z } from "zod";
import { hashCredential } from "../../auth/api-key-format.ts";
import { SCOPES } from "../../domain/accounts/accounts.ts";
import { CODE_SECONDS, TOKEN_RESOURCES } from "../../domain/accounts/oauth.ts";
import { findAskingClient } from "../../oauth/clients/find-client.ts";
import type { OAuthClient } from "../../domain/accounts/oauth.ts";
import { readParameters, readResource, type Parameters } from "../../oauth/endpoints/read-parameters.ts";
import { OAuthError } from "../../oauth/oauth-error.ts";
import { isChallenge } from "../../oauth/rules/pkce.ts";
import { isRegisteredRedirect, withParameters } from "../../oauth/rules/redirect-uris.ts";
import { parseScopes } from "../../oauth/rules/scopes.ts";
import { generateSecret } from "../../oauth/rules/token-format.ts";
import { insertCode } from "../../queries/oauth/codes.ts";
import { presentConsent } from "./consent.ts";
import { issueFormTicket, openFormTicket } from "./form-ticket.ts";
import { html } from "./html.ts";
import { findViewer, readOwnForm, staleForm, type PageRequest } from "./page-request.ts";
import { formTargetOf, presentSeeOther } from "./present-page.ts";
import { presentSignIn } from "./sign-in-page.ts";

const MAX_STATE_CHARACTERS = 2_000;
const TICKET = "authorize";

/** An authorization request that may be shown to a person. */
const AuthorizationRequest = z.strictObject({
  clientId: z.string(),
  redirectUri: z.string(),
  state: z.string().nullable(),
  codeChallenge: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  resource: z.enum(TOKEN_RESOURCES),
});
type AuthorizationRequest = z.output<typeof AuthorizationRequest>;

/** The authorization endpoint: the sign-in when needed, then the page that asks for consent. */
export async function showAuthorization(page: PageRequest): Promise<Response> {
  const { exchange, runtime } = page;
  const { url, ip, startedAt } = exchange;
  const parameters = readParameters(url.searchParams);
  // Before the client and its redirect URI are known to be right, an error is shown and not redirected.
  const client = await findAskingClient(parameters.get("client_id"), { runtime, ip, now: startedAt });
  const redirectUri = parameters.get("redirect_uri");
  if (!isRegisteredRedirect(redirectUri, client.redirectUris))
    throw new OAuthError("invalid_request", "redirect_uri is not one that this application has registered.");
  const state = parameters.find("state");
  let request: AuthorizationRequest;
  try {
    request = parseRequest(parameters, client, { redirectUri, state }, page);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return redirectBack(page, { redirectUri, state }, { error: error.code, error_description: error.message });
  }
  const returnTo = `${url.pathname}${url.search}`;
  const viewer = await findViewer(page);
  if (viewer === null) return presentSignIn(returnTo);
  return presentConsent({
    client,
    scopes: request.scopes,
    resource: request.resource,
    after: html`<h2>Where you go next</h2>
      <p>${describeTarget(redirectUri)}</p>`,
    action: url.pathname,
    ticket: await issueFormTicket(TICKET, request, viewer.session),
    viewer,
    returnTo,
    formTarget: formTargetOf(redirectUri),
  });
}

/** The decision of the consent page: a code for the application, or its refusal. */
export async function decideAuthorization(page: PageRequest): Promise<Response> {
  const { exchange, runtime } = page;
  const form = await readOwnForm(page);
  const viewer = await findViewer(page);
  if (viewer === null) throw staleForm();
  const request = await openFormTicket(TICKET, form.find("request"), AuthorizationRequest, viewer.session);
  if (request === null) throw staleForm();
  if (form.find("decision") !== "approve")
    return redirectBack(page, request, { error: "access_denied", error_description: "The access was denied." });
  const { startedAt } = exchange;
  const code = generateSecret(runtime.config.keyPrefix, "ac", (bytes) => crypto.getRandomValues(bytes));
  await insertCode(
    runtime.db,
    {
      ...request,
      hash: await hashCredential(runtime.config.credentialKeys.current, code),
      accountId: viewer.accountId,
      expiresAt: new Date(startedAt.getTime() + CODE_SECONDS * 1000),
    },
    startedAt,
  );
  return redirectBack(page, request, { code });
}

/** @throws OAuthError for the client, sent by a redirect */
function parseRequest(
  parameters: Parameters,
  client: OAuthClient,
  { redirectUri, state }: { readonly redirectUri: string; readonly state: string | null },
  { runtime }: PageRequest,
): AuthorizationRequest {
  if (state !== null && state.length > MAX_STATE_CHARACTERS)
    throw new OAuthError("invalid_request", "state is longer than 2000 characters.");
  if (parameters.get("response_type") !== "code")
    throw new OAuthError("unsupported_response_type", "response_type must be code.");
  if (!client.grantTypes.includes("authorization_code"))
    throw new OAuthError("unauthorized_client", "This client has not registered authorization codes.");
  const codeChallenge = parameters.get("code_challenge");
  if (parameters.get("code_challenge_method") !== "S256" || !isChallenge(codeChallenge))
    throw new OAuthError("invalid_request", "PKCE with the method S256 is required.");
  const scopes = parseScopes(parameters.find("scope"), client.scopes);
  if (scopes === null) throw new OAuthError("invalid_scope", "scope has an unknown name, or one not registered.");
  const resource = readResource(parameters, runtime.config) ?? "api";
  return { clientId: client.id, redirectUri, state, codeChallenge, scopes: [...scopes], resource };
}

/** A response to the client, with the issuer (RFC 9207). */
function redirectBack(
  { runtime }: PageRequest,
  { redirectUri, state }: { readonly redirectUri: string; readonly state: string | null },
  answer: Readonly<Record<string, string>>,
): Response {
  const isEchoed = state !== null && state.length <= MAX_STATE_CHARACTERS;
  const parameters = { ...answer, state: isEchoed ? state : null, iss: runtime.config.apiBaseUrl };
  return presentSeeOther(withParameters(redirectUri, parameters));
}

function describeTarget(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  if (protocol === "http:") return `To a program on this computer (${host}).`;
  return protocol === "https:" ? `To ${host}.` : `To the program on this device that opens ${protocol} links.`;
}
