import { storeClient } from "../../queries/oauth/clients.ts";
import { parseClientMetadata } from "../clients/client-metadata.ts";
import type { OAuthExchange } from "../oauth-exchange.ts";
import { generateClientId } from "../rules/token-format.ts";
import { OAuthError } from "../oauth-error.ts";
import { networkOf } from "../../lib/network-of.ts";
import { readJson } from "./read-parameters.ts";

/** Registers a public client (RFC 7591). */
export async function handleRegister({ request, runtime, startedAt, ip }: OAuthExchange): Promise<Response> {
  const { config, db, requestLimiter } = runtime;
  const metadata = parseClientMetadata(await readJson(request));
  const retryAt = await requestLimiter.spend("guess", `registrations ${networkOf(ip)}`);
  if (retryAt !== null)
    throw new OAuthError("temporarily_unavailable", "Too many registrations from this address. Retry in a minute.", {
      status: 429,
      headers: { "Retry-After": "60" },
    });
  const id = generateClientId(config.keyPrefix, (bytes) => crypto.getRandomValues(bytes));
  await storeClient(db, { id, ...metadata }, false, startedAt);
  return Response.json(
    {
      client_id: id,
      client_id_issued_at: Math.floor(startedAt.getTime() / 1000),
      ...(metadata.name === null ? {} : { client_name: metadata.name }),
      ...(metadata.uri === null ? {} : { client_uri: metadata.uri }),
      redirect_uris: metadata.redirectUris,
      grant_types: metadata.grantTypes,
      response_types: metadata.grantTypes.includes("authorization_code") ? ["code"] : [],
      token_endpoint_auth_method: "none",
      scope: metadata.scopes.join(" "),
    },
    { status: 201, headers: { "Cache-Control": "no-store", Pragma: "no-cache" } },
  );
}
