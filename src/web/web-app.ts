import { Hono } from "hono";
import { presentError } from "../api/error-response.ts";
import { ApiError } from "../api/errors.ts";
import type { Mail } from "../ports/mail.ts";
import { openMail } from "../ports/open-mail.ts";
import type { Runtime } from "../runtime.ts";
import { answerAuth } from "./auth-routes.ts";
import { addFirstPartyHeaders, presentFirstPartyPreflight, requireFirstParty } from "./first-party.ts";
import { createApiKey, listApiKeys, regenerateApiKey, revokeApiKey } from "./keys/default-keys.ts";
import { createIntegrationKey, listIntegrationKeys, revokeIntegrationKey, rotateIntegrationKey } from "./keys/integration-keys.ts";
import { presentKeyAnswer, type KeyAnswer, type KeyRequest } from "./keys/key-request.ts";
import { openRecentSessions, requireMember } from "./member.ts";
import { AUTH_PATH, openAuth } from "./open-auth.ts";
import type { WebExchange } from "./web-exchange.ts";
import { REGENERATE_ALIAS } from "./web-paths.ts";

interface WebEnv {
  Bindings: { exchange: WebExchange };
}

type Handler = (request: KeyRequest) => Promise<KeyAnswer>;
type Methods = Readonly<Record<string, Handler>>;

/** Fixed paths come before those with parameters. */
export const KEY_ROUTES: readonly (readonly [path: string, methods: Methods])[] = [
  ["/api/keys", { GET: listApiKeys, POST: createApiKey }],
  ["/api/keys/regenerate", { POST: regenerateApiKey }],
  [REGENERATE_ALIAS, { POST: regenerateApiKey }],
  ["/api/keys/integrations", { GET: listIntegrationKeys, POST: createIntegrationKey }],
  ["/api/keys/integrations/:id", { DELETE: revokeIntegrationKey }],
  ["/api/keys/integrations/:id/rotate", { POST: rotateIntegrationKey }],
  ["/api/keys/:id", { DELETE: revokeApiKey }],
];

/** The website's own routes: sign-in and keys. Loading this module loads the sign-in library, so only its first request does. */
export function createWebApp(
  runtime: Runtime,
  mail: Mail | null = openMail(runtime.config, fetch),
): (exchange: WebExchange) => Promise<Response> {
  const { origin } = new URL(runtime.config.webBaseUrl);
  const app = new Hono<WebEnv>();
  const recent = openRecentSessions();
  let opened: ReturnType<typeof openAuth> | null = null;
  const authOf = ({ log }: WebExchange) => (opened ??= openAuth(runtime, log));

  app.options("*", (c) => presentFirstPartyPreflight(c.req.raw, origin));
  app.use("*", async (c, next) => {
    requireFirstParty(c.req.raw, origin);
    await next();
  });
  app.all(`${AUTH_PATH}/*`, ({ env: { exchange } }) => answerAuth({ exchange, runtime, auth: authOf(exchange), mail }));
  for (const [path, methods] of KEY_ROUTES) {
    for (const [method, handle] of Object.entries(methods)) {
      app.on(method, path, async (c) => {
        const { exchange } = c.env;
        const member = await requireMember(exchange.request.headers, { auth: authOf(exchange), runtime, recent });
        return presentKeyAnswer(await handle({ ...exchange, member, runtime, params: c.req.param() }), exchange.requestId);
      });
    }
    app.all(path, () => {
      throw new ApiError("method_not_allowed", { headers: { Allow: allowedMethods(methods) } });
    });
  }
  app.notFound(() => {
    throw new ApiError("unknown_endpoint");
  });
  app.onError((error, { env: { exchange } }) =>
    presentError(error, {
      requestId: exchange.requestId,
      method: exchange.request.method,
      docsUrl: `${runtime.config.webBaseUrl}/docs`,
      now: new Date(),
      log: exchange.log,
    }),
  );

  return async (exchange) => {
    const response = await app.fetch(exchange.request, { exchange });
    // Answers of the library may be immutable.
    const answer = new Response(response.body, response);
    addFirstPartyHeaders(answer.headers, exchange.request, origin);
    return answer;
  };
}

function allowedMethods(methods: Methods): string {
  return [...Object.keys(methods).flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])), "OPTIONS"].join(", ");
}
