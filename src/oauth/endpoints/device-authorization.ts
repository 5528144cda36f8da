import { hashCredential } from "../../auth/api-key-format.ts";
import { DEVICE_CODE_SECONDS, DEVICE_INTERVAL_SECONDS } from "../../domain/accounts/oauth.ts";
import { insertDeviceCode } from "../../queries/oauth/device-codes.ts";
import { findAskingClient } from "../clients/find-client.ts";
import type { OAuthExchange } from "../oauth-exchange.ts";
import { OAuthError } from "../oauth-error.ts";
import { parseScopes } from "../rules/scopes.ts";
import { generateSecret, generateUserCode, hashUserCode, type Random } from "../rules/token-format.ts";
import { readForm, readResource, refuseClientSecret } from "./read-parameters.ts";

/** The page on which a person enters the code of a device. */
export const DEVICE_PAGE_PATH = "/oauth/device";
/** There are 25.6 billion user codes, so a second attempt is rare already. */
const MAX_ATTEMPTS = 3;

const random: Random = (bytes) => crypto.getRandomValues(bytes);

/** Starts the authorization of a device (RFC 8628 section 3.1). */
export async function handleDeviceAuthorization(exchange: OAuthExchange): Promise<Response> {
  const { request, runtime, startedAt, ip } = exchange;
  const { config, db } = runtime;
  const form = await readForm(request);
  refuseClientSecret(request, form);
  const resource = readResource(form, config) ?? "api";
  const client = await findAskingClient(form.get("client_id"), { runtime, ip, now: startedAt });
  if (!client.grantTypes.includes("urn:ietf:params:oauth:grant-type:device_code"))
    throw new OAuthError("unauthorized_client", "This client has not registered the device grant.");
  const scopes = parseScopes(form.find("scope"), client.scopes);
  if (scopes === null) throw new OAuthError("invalid_scope", "scope has an unknown name, or one not registered.");
  const deviceCode = generateSecret(config.keyPrefix, "dc", random);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const userCode = generateUserCode(random);
    const isStored = await insertDeviceCode(
      db,
      {
        hash: await hashCredential(config.credentialKeys.current, deviceCode),
        userCodeHash: await hashUserCode(config.credentialKeys.current, userCode),
        clientId: client.id,
        scopes,
        resource,
        expiresAt: new Date(startedAt.getTime() + DEVICE_CODE_SECONDS * 1000),
        intervalSeconds: DEVICE_INTERVAL_SECONDS,
      },
      startedAt,
    );
    if (!isStored) continue;
    const page = `${config.webBaseUrl}${DEVICE_PAGE_PATH}`;
    return Response.json(
      {
        device_code: deviceCode,
        user_code: userCode,
        verification_uri: page,
        verification_uri_complete: `${page}?user_code=${userCode}`,
        expires_in: DEVICE_CODE_SECONDS,
        interval: DEVICE_INTERVAL_SECONDS,
      },
      { headers: { "Cache-Control": "no-store", Pragma: "no-cache" } },
    );
  }
  throw new Error("no free user code was found");
}
