import type { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { parseBody, readJsonBody } from "../../api/request/read-body.ts";
import { networkOf } from "../../lib/network-of.ts";
import {
  CodeEntry,
  CodeRequest,
  EmptyObject,
  PasskeyName,
  PasskeyRef,
  PasskeyRegistration,
  PasskeySignIn,
  RegistrationQuery,
  SessionQuery,
  SessionRef,
} from "./auth-schemas.ts";
import { enterCode } from "./enter-code.ts";
import { AUTH_PATH } from "./open-auth.ts";
import { presentRegistration } from "./passkey-registration.ts";
import { sendCode } from "./send-code.ts";
import { spendRequest } from "../spend-request.ts";
import type { SignInRequest } from "../web-exchange.ts";

interface Route {
  readonly method: "GET" | "POST";
  /** Validates query and body, spends the budget, then responds. */
  readonly handle: (signInRequest: SignInRequest) => Promise<Response>;
}

/** The sign-in routes of the website. Other features of the library, such as passwords, have no route. */
export const AUTH_ROUTES: ReadonlyMap<string, Route> = new Map([
  ["/email-otp/send-verification-otp", post(CodeRequest, sendCode)],
  ["/sign-in/email-otp", post(CodeEntry, enterCode)],
  ["/get-session", get(SessionQuery)],
  ["/sign-out", post(EmptyObject)],
  ["/list-sessions", get(EmptyObject)],
  ["/revoke-session", post(SessionRef)],
  ["/revoke-sessions", post(EmptyObject)],
  ["/revoke-other-sessions", post(EmptyObject)],
  ["/passkey/generate-register-options", get(RegistrationQuery)],
  [
    "/passkey/verify-registration",
    post(PasskeyRegistration, async (body, signInRequest) =>
      presentRegistration(await forwardToLibrary(signInRequest, { body: JSON.stringify(body) })),
    ),
  ],
  ["/passkey/generate-authenticate-options", get(EmptyObject)],
  ["/passkey/verify-authentication", post(PasskeySignIn)],
  ["/passkey/list-user-passkeys", get(EmptyObject)],
  ["/passkey/delete-passkey", post(PasskeyRef)],
  ["/passkey/update-passkey", post(PasskeyName)],
]);

/**
 * Handles a request under /api/auth. Responses and refusals of the library are passed through unchanged,
 * because its client reads them. Our own refusals, rate limits and failures use the error envelope of the
 * API.
 */
export async function handleAuth(signInRequest: SignInRequest): Promise<Response> {
  const { request, url } = signInRequest.exchange;
  const route = AUTH_ROUTES.get(url.pathname.slice(AUTH_PATH.length));
  if (route === undefined) throw new ApiError("unknown_endpoint");
  if (request.method !== route.method)
    throw new ApiError("method_not_allowed", { headers: { Allow: `${route.method}, OPTIONS` } });
  const response = await route.handle(signInRequest);
  if (response.status >= 500)
    throw new Error(`the sign-in library returned status ${response.status} at ${url.pathname}`);
  return response;
}

function get(query: z.ZodType<Record<string, string | undefined>>): Route {
  return {
    method: "GET",
    handle: async (signInRequest) => {
      const present = Object.entries(parseQuery(query, signInRequest.exchange.url)).filter(
        (pair): pair is [string, string] => pair[1] !== undefined,
      );
      return forwardToLibrary(signInRequest, { search: new URLSearchParams(present).toString() });
    },
  };
}

function post<S extends z.ZodType>(
  schema: S,
  handle: (body: z.output<S>, signInRequest: SignInRequest) => Promise<Response> = (body, signInRequest) =>
    forwardToLibrary(signInRequest, { body: JSON.stringify(body) }),
): Route {
  return {
    method: "POST",
    handle: async (signInRequest) => {
      const { request, url } = signInRequest.exchange;
      parseQuery(EmptyObject, url);
      // Routes such as sign-out accept a request without a body.
      return handle(parseBody(schema, request.body === null ? {} : await readJsonBody(request)), signInRequest);
    },
  };
}

/** Forwards the parsed query and body to the library, and no other part of them. */
async function forwardToLibrary(
  { exchange: { request, url, ip }, runtime, auth }: SignInRequest,
  { search = "", body = null }: { search?: string; body?: string | null },
): Promise<Response> {
  await spendRequest(runtime.requestLimiter, "sign_in", `${url.pathname} ${networkOf(ip)}`);
  const target = new URL(url);
  target.search = search;
  const headers = new Headers(request.headers);
  headers.delete("content-length");
  return auth.handler(new Request(target, { method: request.method, headers, body }));
}

/** @throws ApiError invalid_query that names the parameter */
function parseQuery<S extends z.ZodType>(schema: S, url: URL): z.output<S> {
  const parsed = schema.safeParse(Object.fromEntries(url.searchParams));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = issue?.code === "unrecognized_keys" ? issue.keys[0] : issue?.path[0];
  const param = String(name).slice(0, 100);
  throw new ApiError("invalid_query", {
    param,
    message: `${param} is not a parameter of this route, or its value is not valid.`,
  });
}
