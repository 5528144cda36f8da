import type { Scope } from "../../domain/accounts/accounts.ts";
import { REFRESH_GRACE_SECONDS, type TokenResource } from "../../domain/accounts/oauth.ts";
import type { OAuthErrorCode } from "../oauth-error.ts";
import { coversResource } from "./resources.ts";
import { narrowScopes } from "./scopes.ts";
import { mayHoldTokens, type RefreshState } from "./states.ts";

export interface RefreshRequest {
  readonly clientId: string;
  /** As sent; null where the request names none. */
  readonly scope: string | null;
  readonly resource: TokenResource | null;
}

export type RefreshDecision =
  | {
      readonly kind: "issue";
      /** The generation of the new refresh token. */
      readonly generation: number;
      /** When the generation before it was first used. */
      readonly rotatedMs: number;
      readonly scopes: readonly Scope[];
      readonly resource: TokenResource;
    }
  /** An older token was used again: the grant ends. */
  | { readonly kind: "reuse" }
  | { readonly kind: "refuse"; readonly error: OAuthErrorCode; readonly description: string };

const refuse = (error: OAuthErrorCode, description: string): RefreshDecision => ({
  kind: "refuse",
  error,
  description,
});
const UNKNOWN = refuse(
  "invalid_grant",
  "The refresh token is unknown, expired, revoked, or belongs to another client.",
);

/**
 * Decides the use of a refresh token. Each use starts the next generation. A token of the generation before is
 * accepted for some seconds after its first use, because the answer may have been lost, and then gets another
 * token of the same new generation. Of the two holders of a copied token the second to refresh later uses an
 * older generation, which ends the grant (RFC 9700 section 4.14.2).
 *
 * @param state null for an unknown token
 */
export function decideRefresh(state: RefreshState | null, request: RefreshRequest, nowMs: number): RefreshDecision {
  if (state === null || state.clientId !== request.clientId || state.isRevoked || nowMs >= state.expiresMs)
    return UNKNOWN;
  const { generation, currentGeneration, rotatedMs } = state;
  const isCurrent = generation === currentGeneration;
  const isInGrace =
    generation === currentGeneration - 1 && rotatedMs !== null && nowMs - rotatedMs <= REFRESH_GRACE_SECONDS * 1000;
  if (!isCurrent && !isInGrace) return { kind: "reuse" };
  if (!mayHoldTokens(state.accountState)) return refuse("invalid_grant", "The account cannot be used.");
  const scopes = narrowScopes(request.scope, state.scopes);
  if (scopes === null) return refuse("invalid_scope", "scope is more than what was granted.");
  const resource = request.resource ?? state.resource;
  if (!coversResource(state.resource, resource))
    return refuse("invalid_target", "The authorization does not cover this resource.");
  return {
    kind: "issue",
    generation: generation + 1,
    rotatedMs: isCurrent || rotatedMs === null ? nowMs : rotatedMs,
    scopes,
    resource,
  };
}
