import type { TokenResource } from "../../domain/accounts/oauth.ts";
import type { OAuthErrorCode } from "../oauth-error.ts";
import { coversResource } from "./resources.ts";
import { mayHoldTokens, type CodeState } from "./states.ts";

export interface CodeRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  /** Whether the verifier belongs to the stored challenge. */
  readonly isVerified: boolean;
  /** Null where the request names none. */
  readonly resource: TokenResource | null;
}

export type CodeDecision =
  | { readonly kind: "issue"; readonly resource: TokenResource }
  /** The code was used before: its grant ends. */
  | { readonly kind: "reuse"; readonly grantId: number }
  | { readonly kind: "refuse"; readonly error: OAuthErrorCode; readonly description: string };

const refuse = (error: OAuthErrorCode, description: string): CodeDecision => ({ kind: "refuse", error, description });
const UNKNOWN = refuse("invalid_grant", "The code is unknown, expired, used, or belongs to another client.");

/**
 * Decides the exchange of an authorization code (RFC 6749 section 4.1.3). A used code is reported before its
 * expiry and its verifier: a second holder has seen it. A refused request leaves the code as it is.
 *
 * @param state null for an unknown code
 */
export function decideCode(state: CodeState | null, request: CodeRequest, nowMs: number): CodeDecision {
  if (state === null || state.clientId !== request.clientId) return UNKNOWN;
  if (state.grantId !== null) return { kind: "reuse", grantId: state.grantId };
  if (nowMs >= state.expiresMs) return UNKNOWN;
  if (state.redirectUri !== request.redirectUri)
    return refuse("invalid_grant", "redirect_uri is not the one of the authorization request.");
  if (!request.isVerified) return refuse("invalid_grant", "code_verifier does not match the code_challenge.");
  if (!mayHoldTokens(state.accountState)) return refuse("invalid_grant", "The account cannot be used.");
  const resource = request.resource ?? state.resource;
  if (!coversResource(state.resource, resource))
    return refuse("invalid_target", "The authorization does not cover this resource.");
  return { kind: "issue", resource };
}
