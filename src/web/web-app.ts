import { presentError } from "../api/response/error-response.ts";
import { presentFirstPartyPreflight, requireFirstParty } from "../api/request/first-party.ts";
import type { ReadSession } from "../auth/authenticate-session.ts";
import { consoleLog } from "../platform/log/console-log.ts";
import type { Mail } from "../platform/mail/mail.ts";
import { openMail } from "../platform/mail/open-mail.ts";
import type { Runtime } from "../runtime.ts";
import { handlePage } from "./oauth/handle-page.ts";
import { openSessionReader } from "./read-session.ts";
import { handleAuth } from "./sign-in/auth-routes.ts";
import { openAuth } from "./sign-in/open-auth.ts";
import type { WebExchange } from "./web-exchange.ts";

/** The website's part of the request path. */
export interface Website {
  /** Handles a request under /api/auth. */
  readonly handleSignIn: (exchange: WebExchange) => Promise<Response>;
  readonly readSession: ReadSession;
  /** Handles a request for a page under /oauth. */
  readonly handlePage: (exchange: WebExchange) => Promise<Response>;
}

/**
 * Opens the website's sign-in and sessions. This module loads the sign-in library, so `src/app.ts` imports it
 * on the first request that needs it.
 */
export function openWebsite(runtime: Runtime, mail: Mail | null = openMail(runtime.config, fetch)): Website {
  const { origin } = new URL(runtime.config.webBaseUrl);
  let opened: ReturnType<typeof openAuth> | null = null;
  const auth = () => (opened ??= openAuth(runtime, consoleLog));

  async function respond(exchange: WebExchange): Promise<Response> {
    const { request } = exchange;
    if (request.method === "OPTIONS") return presentFirstPartyPreflight(request, origin);
    requireFirstParty(request, origin);
    return handleAuth({ exchange, runtime, auth: auth(), mail });
  }

  const readSession = openSessionReader(auth, runtime);
  return {
    readSession,
    handlePage: (exchange) => handlePage({ exchange, runtime, auth: auth(), mail, readSession }),
    async handleSignIn(exchange) {
      // Presented here: this module is a bundle of its own, whose ApiError is another class than the
      // kernel's.
      const response = await respond(exchange).catch((error: unknown) =>
        presentError(error, {
          requestId: exchange.requestId,
          method: exchange.request.method,
          docsUrl: `${runtime.config.webBaseUrl}/docs`,
          now: new Date(),
          random: Math.random,
          log: exchange.log,
          trace: exchange.trace,
        }),
      );
      // Copied, because the headers of a library response may be immutable.
      return new Response(response.body, response);
    },
  };
}
