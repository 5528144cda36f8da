import { findStoredHash, hashesOf } from "../../auth/api-key-format.ts";
import type { TokenResource } from "../../domain/accounts/oauth.ts";
import { OAuthError } from "../oauth-error.ts";
import { decideCode } from "../rules/decide-code.ts";
import { matchesChallenge } from "../rules/pkce.ts";
import { isSecret } from "../rules/token-format.ts";
import { endCopiedGrant } from "./end-grant.ts";
import { MAX_ATTEMPTS, prepareTokens, type FlowContext, type TokenResponse } from "./issue-tokens.ts";

export interface CodeExchange {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly verifier: string;
  readonly resource: TokenResource | null;
}

/**
 * Exchanges an authorization code for the first tokens of a new grant. Of concurrent exchanges one succeeds;
 * the others are reuse, which ends its grant.
 *
 * @throws OAuthError
 */
export async function exchangeCode(exchange: CodeExchange, context: FlowContext): Promise<TokenResponse> {
  const { config, store, now } = context;
  const { code, clientId, redirectUri, verifier, resource } = exchange;
  const hash = isSecret(config.keyPrefix, "ac", code)
    ? await findStoredHash(await hashesOf(config.credentialKeys, code), (each) => store.findCode(each))
    : null;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const state = hash === null ? null : await store.findCode(hash);
    const isVerified = state !== null && (await matchesChallenge(verifier, state.codeChallenge));
    const decision = decideCode(state, { clientId, redirectUri, isVerified, resource }, now.getTime());
    if (decision.kind === "refuse") throw new OAuthError(decision.error, decision.description);
    if (decision.kind === "reuse") {
      await endCopiedGrant(decision.grantId, "code_reuse", context);
      throw new OAuthError("invalid_grant", "The code was used before. The access that it gave has ended.");
    }
    if (state === null || hash === null) throw new Error("an unknown code was accepted");
    const { response, stored } = await prepareTokens(
      context,
      { scopes: state.scopes, resource: decision.resource },
      state.clientGrantTypes.includes("refresh_token"),
    );
    if ((await store.redeemCode(hash, stored, now)) !== null) return response;
  }
  throw new OAuthError("temporarily_unavailable", "Retry the request.", {
    status: 503,
    headers: { "Retry-After": "1" },
  });
}
