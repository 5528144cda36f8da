import { isDatabaseUnavailable } from "../db/is-database-unavailable.ts";
import { describeError, describeStack } from "../platform/log/console-log.ts";
import { handleDeviceAuthorization } from "./endpoints/device-authorization.ts";
import { presentResourceMetadata, presentServerMetadata } from "./endpoints/metadata.ts";
import { handleRegister } from "./endpoints/register.ts";
import { handleRevoke } from "./endpoints/revoke.ts";
import { handleToken } from "./endpoints/token.ts";
import type { OAuthExchange } from "./oauth-exchange.ts";
import { OAuthError, presentOAuthError } from "./oauth-error.ts";

type Handler = (exchange: OAuthExchange) => Response | Promise<Response>;

/** The endpoints on the API's origin. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  "GET /.well-known/oauth-authorization-server": ({ runtime }) => presentServerMetadata(runtime.config),
  "GET /.well-known/oauth-protected-resource": ({ runtime }) => presentResourceMetadata(runtime.config, "api"),
  "GET /.well-known/oauth-protected-resource/api/v1/mcp": ({ runtime }) =>
    presentResourceMetadata(runtime.config, "mcp"),
  "POST /oauth/register": handleRegister,
  "POST /oauth/token": handleToken,
  "POST /oauth/device_authorization": handleDeviceAuthorization,
  "POST /oauth/revoke": handleRevoke,
};

/**
 * Handles a request to an OAuth endpoint of the API's origin. A bundle of its own, which `src/app.ts` loads with
 * the first such request.
 */
export async function handleOAuth(exchange: OAuthExchange): Promise<Response> {
  const { request, url, requestId, log } = exchange;
  const method = request.method === "HEAD" ? "GET" : request.method;
  const handle = HANDLERS[`${method} ${url.pathname}`];
  try {
    if (handle === undefined) throw new Error(`no handler of ${request.method} ${url.pathname}`);
    return await handle(exchange);
  } catch (error) {
    if (error instanceof OAuthError) return presentOAuthError(error);
    log.error("request.failed", {
      request_id: requestId,
      operation: url.pathname,
      error: describeError(error),
      stack: describeStack(error),
    });
    return presentOAuthError(
      isDatabaseUnavailable(error)
        ? new OAuthError("temporarily_unavailable", "The database cannot be reached.", {
            status: 503,
            headers: { "Retry-After": "5" },
          })
        : new OAuthError("server_error", `An internal error occurred. Report the request id ${requestId}.`, {
            status: 500,
          }),
    );
  }
}
