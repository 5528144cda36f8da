import type { Context, Env, Hono, MiddlewareHandler } from "hono";
import { ApiError, ERRORS } from "../api/errors.ts";
import { describeFailure } from "../api/response/error-response.ts";
import { presentPreflight } from "../api/response/cors.ts";
import { consoleLog } from "../platform/log/console-log.ts";
import { clientIp } from "../platform/rate-limit/client-ip.ts";
import type { Runtime } from "../runtime.ts";
import type { OAuthExchange } from "./oauth-exchange.ts";

/** The endpoints on the API's origin, with their method. */
const ENDPOINTS: Readonly<Record<string, "GET" | "POST">> = {
  "/.well-known/oauth-authorization-server": "GET",
  "/.well-known/oauth-protected-resource": "GET",
  "/.well-known/oauth-protected-resource/api/v1/mcp": "GET",
  "/oauth/register": "POST",
  "/oauth/token": "POST",
  "/oauth/device_authorization": "POST",
  "/oauth/revoke": "POST",
};

/** What the app lends to the routes. */
export interface OAuthMount<E extends Env> {
  readonly runtime: Runtime;
  readonly isWebOrigin: (url: string) => boolean;
  /** Spends the IP budget. @throws ApiError ip_rate_limited, ip_throttled */
  readonly admitAddress: (c: Context<E>) => Promise<void>;
  readonly requestOf: (c: Context<E>) => { readonly requestId: string; readonly startedAt: Date };
  /** Calls the pages of the website, on its origin only. */
  readonly servePage: MiddlewareHandler<E>;
  /** Loads the endpoints with the first request for them. */
  readonly load: () => Promise<{ handleOAuth(exchange: OAuthExchange): Promise<Response> }>;
}

/**
 * Mounts the OAuth endpoints of the API's origin, which refuse in the form of RFC 6749, and below `/oauth` the
 * pages of the website's origin. Registered before the app's own gate, because each spends the IP budget itself.
 */
export function mountOAuth<E extends Env>(app: Hono<E>, mount: OAuthMount<E>): void {
  const { runtime, isWebOrigin, admitAddress, requestOf, load } = mount;
  for (const [path, method] of Object.entries(ENDPOINTS)) {
    const allow = `${method === "GET" ? "GET, HEAD" : method}, OPTIONS`;
    app.all(path, async (c, next) => {
      if (isWebOrigin(c.req.url)) return next();
      const { requestId, startedAt } = requestOf(c);
      try {
        await admitAddress(c);
      } catch (error) {
        return presentRefusal(error, c.req.method, startedAt);
      }
      if (c.req.method === "OPTIONS") return new Response(null, { status: 204, headers: presentPreflight(allow) });
      if (c.req.method !== method && !(method === "GET" && c.req.method === "HEAD"))
        return presentRefusal(
          new ApiError("method_not_allowed", { headers: { Allow: allow } }),
          c.req.method,
          startedAt,
        );
      const { handleOAuth } = await load();
      return handleOAuth({
        request: c.req.raw,
        url: new URL(c.req.url),
        requestId,
        startedAt,
        ip: clientIp(c.req.raw.headers),
        log: consoleLog,
        runtime,
      });
    });
  }
  app.all("/oauth/*", mount.servePage);
}

/** A refusal of the kernel in the form of RFC 6749 section 5.2. */
function presentRefusal(error: unknown, method: string, now: Date): Response {
  if (!(error instanceof ApiError)) throw error;
  const { status, headers } = describeFailure(error, { method, docsUrl: "", now, random: Math.random });
  headers.set("Cache-Control", "no-store");
  const code = ERRORS[error.reason].status === 405 ? "invalid_request" : "temporarily_unavailable";
  return Response.json({ error: code, error_description: error.message }, { status, headers });
}
