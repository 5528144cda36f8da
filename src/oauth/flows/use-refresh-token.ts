import { findStoredHash, hashesOf } from "../../auth/api-key-format.ts";
import { OAuthError } from "../oauth-error.ts";
import { decideRefresh, type RefreshRequest } from "../rules/decide-refresh.ts";
import { isSecret } from "../rules/token-format.ts";
import { endCopiedGrant } from "./end-grant.ts";
import { MAX_ATTEMPTS, prepareTokens, type FlowContext, type TokenResponse } from "./issue-tokens.ts";

/**
 * Exchanges a refresh token for new tokens. The reuse of an older one ends the grant.
 *
 * @throws OAuthError
 */
export async function useRefreshToken(
  token: string,
  request: RefreshRequest,
  context: FlowContext,
): Promise<TokenResponse> {
  const { config, store, now } = context;
  const hash = isSecret(config.keyPrefix, "rt", token)
    ? await findStoredHash(await hashesOf(config.credentialKeys, token), (each) => store.findRefresh(each))
    : null;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const state = hash === null ? null : await store.findRefresh(hash);
    const decision = decideRefresh(state, request, now.getTime());
    if (decision.kind === "refuse") throw new OAuthError(decision.error, decision.description);
    if (state === null) throw new Error("an unknown refresh token was accepted");
    const { grantId, version } = state;
    if (decision.kind === "reuse") {
      await endCopiedGrant(grantId, "refresh_reuse", context);
      throw new OAuthError("invalid_grant", "The refresh token was used before. The access that it gave has ended.");
    }
    const { response, stored } = await prepareTokens(context, decision, true);
    const rotation = { grantId, version, generation: decision.generation, rotatedAt: new Date(decision.rotatedMs) };
    if (await store.rotate(rotation, stored, now)) return response;
  }
  throw new OAuthError("temporarily_unavailable", "Retry the request.", {
    status: 503,
    headers: { "Retry-After": "1" },
  });
}
