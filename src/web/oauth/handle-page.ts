import { isDatabaseUnavailable } from "../../db/is-database-unavailable.ts";
import { OAuthError } from "../../oauth/oauth-error.ts";
import { describeError, describeStack } from "../../platform/log/console-log.ts";
import { decideAuthorization, showAuthorization } from "./authorize-page.ts";
import { handleDeviceForm, showDevice } from "./device-page.ts";
import { handleRevocation, showGrants } from "./grants-page.ts";
import { html } from "./html.ts";
import type { PageRequest } from "./page-request.ts";
import { presentPage } from "./present-page.ts";
import { handleSignInForm, handleSignOut } from "./sign-in-page.ts";
import { STYLE, STYLE_PATH } from "./style.ts";

type Handler = (page: PageRequest) => Promise<Response>;

/** The pages of the website's origin by path, and what each method does. */
const PAGES: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  "/oauth/authorize": { GET: showAuthorization, POST: decideAuthorization },
  "/oauth/device": { GET: showDevice, POST: handleDeviceForm },
  "/oauth/grants": { GET: showGrants, POST: handleRevocation },
  "/oauth/sign-in": { POST: handleSignInForm },
  "/oauth/sign-out": { POST: handleSignOut },
  [STYLE_PATH]: { GET: async () => new Response(STYLE, { headers: { "Content-Type": "text/css; charset=utf-8" } }) },
};

/** Handles a request for a page below `/oauth`. A failure is a page, too. */
export async function handlePage(page: PageRequest): Promise<Response> {
  const { request, url, trace } = page.exchange;
  const methods = Object.hasOwn(PAGES, url.pathname) ? PAGES[url.pathname] : undefined;
  if (methods === undefined) return presentFailure("There is no such page.", 404);
  trace.operation = url.pathname;
  const handle = methods[request.method === "HEAD" ? "GET" : request.method];
  if (handle === undefined)
    return presentFailure("This page does not support this method.", 405, { Allow: Object.keys(methods).join(", ") });
  try {
    return await handle(page);
  } catch (error) {
    return presentError(error, page);
  }
}

function presentError(error: unknown, { exchange }: PageRequest): Response {
  if (error instanceof OAuthError) return presentFailure(error.message, error.status, error.headers);
  exchange.log.error("request.failed", {
    request_id: exchange.requestId,
    operation: exchange.trace.operation,
    error: describeError(error),
    stack: describeStack(error),
  });
  return isDatabaseUnavailable(error)
    ? presentFailure("The database cannot be reached. Retry in some seconds.", 503, { "Retry-After": "5" })
    : presentFailure(`An internal error occurred. Report the request id ${exchange.requestId}.`, 500);
}

const presentFailure = (message: string, status: number, headers: Readonly<Record<string, string>> = {}): Response =>
  presentPage({ title: "This did not work", status, headers, body: html`<p class="note" role="alert">${message}</p>` });
