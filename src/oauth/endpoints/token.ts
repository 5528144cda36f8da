import { exchangeCode } from "../flows/exchange-code.ts";
import type { FlowContext, TokenResponse } from "../flows/issue-tokens.ts";
import { pollDevice } from "../flows/poll-device.ts";
import { openPostgresStore } from "../flows/postgres-store.ts";
import { useRefreshToken } from "../flows/use-refresh-token.ts";
import type { OAuthExchange } from "../oauth-exchange.ts";
import { OAuthError } from "../oauth-error.ts";
import { readForm, readResource, refuseClientSecret } from "./read-parameters.ts";

/** The token endpoint: codes, refresh tokens and device codes. */
export async function handleToken({ request, runtime, startedAt, log }: OAuthExchange): Promise<Response> {
  const form = await readForm(request);
  refuseClientSecret(request, form);
  const { config, db, meter } = runtime;
  const context: FlowContext = {
    config,
    meter,
    store: openPostgresStore(db),
    random: (bytes) => crypto.getRandomValues(bytes),
    log,
    now: startedAt,
  };
  const grantType = form.get("grant_type");
  const clientId = form.get("client_id");
  const resource = readResource(form, config);
  return present(await exchange());

  function exchange(): Promise<TokenResponse> {
    switch (grantType) {
      case "authorization_code":
        return exchangeCode(
          {
            code: form.get("code"),
            clientId,
            redirectUri: form.get("redirect_uri"),
            verifier: form.get("code_verifier"),
            resource,
          },
          context,
        );
      case "refresh_token":
        return useRefreshToken(form.get("refresh_token"), { clientId, scope: form.find("scope"), resource }, context);
      case "urn:ietf:params:oauth:grant-type:device_code":
        return pollDevice(form.get("device_code"), { clientId, resource }, context);
      default:
        throw new OAuthError("unsupported_grant_type", "This server does not have this grant type.");
    }
  }
}

const present = (tokens: TokenResponse): Response =>
  Response.json(tokens, { headers: { "Cache-Control": "no-store", Pragma: "no-cache" } });
