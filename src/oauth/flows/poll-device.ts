import { findStoredHash, hashesOf } from "../../auth/api-key-format.ts";
import { OAuthError } from "../oauth-error.ts";
import { decideDevicePoll, type DevicePoll } from "../rules/decide-device.ts";
import { isSecret } from "../rules/token-format.ts";
import { MAX_ATTEMPTS, prepareTokens, type FlowContext, type TokenResponse } from "./issue-tokens.ts";

/**
 * Exchanges an approved device code for the first tokens of a new grant, once.
 *
 * @throws OAuthError
 */
export async function pollDevice(deviceCode: string, poll: DevicePoll, context: FlowContext): Promise<TokenResponse> {
  const { config, store, now } = context;
  const hash = isSecret(config.keyPrefix, "dc", deviceCode)
    ? await findStoredHash(await hashesOf(config.credentialKeys, deviceCode), (each) => store.findDevice(each))
    : null;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const state = hash === null ? null : await store.findDevice(hash);
    const decision = decideDevicePoll(state, poll, now.getTime());
    if (decision.kind === "refuse") {
      const { error, description, intervalSeconds } = decision;
      const isStored =
        hash === null ||
        state === null ||
        intervalSeconds === null ||
        (await store.recordPoll(hash, state.version, intervalSeconds, now));
      if (isStored) throw new OAuthError(error, description);
      continue;
    }
    if (state === null || hash === null) throw new Error("an unknown device code was accepted");
    const { response, stored } = await prepareTokens(
      context,
      { scopes: state.scopes, resource: decision.resource },
      state.clientGrantTypes.includes("refresh_token"),
    );
    if ((await store.redeemDevice(hash, state.version, stored, now)) !== null) return response;
  }
  throw new OAuthError("temporarily_unavailable", "Retry the request.", {
    status: 503,
    headers: { "Retry-After": "1" },
  });
}
