import { findStoredHash, hashesOf } from "../../auth/api-key-format.ts";
import { OAuthError } from "../oauth-error.ts";
import { isSecret } from "../rules/token-format.ts";
import { endGrant } from "./end-grant.ts";
import type { FlowContext } from "./issue-tokens.ts";
import type { TokenOwner } from "./oauth-store.ts";

/**
 * Revokes a token (RFC 7009): a refresh token with its grant, an access token alone. An unknown token needs no
 * revocation.
 *
 * @param clientId null where the request names none: the token itself is proof enough
 * @throws OAuthError for a token of another client; MeterUnavailable, and then nothing has changed
 */
export async function revokeToken(
  token: string,
  clientId: string | null,
  context: Omit<FlowContext, "random" | "log">,
): Promise<void> {
  const { config, store, meter, now } = context;
  const hashes = await hashesOf(config.credentialKeys, token);
  if (isSecret(config.keyPrefix, "rt", token)) {
    const owner = await store.findRefreshOwner(await findStoredHash(hashes, (hash) => store.findRefreshOwner(hash)));
    requireOwner(owner, clientId);
    if (owner !== null) await endGrant(owner.grantId, "client", context);
  } else if (isSecret(config.keyPrefix, "at", token)) {
    const hash = await findStoredHash(hashes, (each) => store.findAccessOwner(each));
    const owner = await store.findAccessOwner(hash);
    requireOwner(owner, clientId);
    if (owner === null) return;
    await meter.refuse(owner.accountId, [hash]);
    await store.revokeAccess(hash, now);
  }
}

function requireOwner(owner: TokenOwner | null, clientId: string | null): void {
  if (owner !== null && clientId !== null && owner.clientId !== clientId)
    throw new OAuthError("invalid_grant", "The token belongs to another client.");
}
