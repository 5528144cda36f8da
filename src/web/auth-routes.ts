import type { z } from "zod";
import { ApiError } from "../api/errors.ts";
import { parseBody, readJsonBody } from "../api/read-body.ts";
import { networkOf } from "../lib/network-of.ts";
import {
  CodeEntry,
  CodeRequest,
  Nothing,
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
import { spendRequest } from "./spend-request.ts";
import type { SignInRequest } from "./web-exchange.ts";

interface Route {
  readonly method: "GET" | "POST";
  /** Refuses what its schema does not know, spends its budget, then answers. */
  readonly answer: (ask: SignInRequest) => Promise<Response>;
}

/** What the website has of sign-in. Everything else the library could do, such as passwords, has no route. */
export const AUTH_ROUTES: ReadonlyMap<string, Route> = new Map([
  ["/email-otp/send-verification-otp", post(CodeRequest, sendCode)],
  ["/sign-in/email-otp", post(CodeEntry, enterCode)],
  ["/get-session", get(SessionQuery)],
  ["/sign-out", post(Nothing)],
  ["/list-sessions", get(Nothing)],
  ["/revoke-session", post(SessionRef)],
  ["/revoke-sessions", post(Nothing)],
  ["/revoke-other-sessions", post(Nothing)],
  ["/passkey/generate-register-options", get(RegistrationQuery)],
  [
    "/passkey/verify-registration",
    post(PasskeyRegistration, async (body, ask) => presentRegistration(await askLibrary(ask, { body: JSON.stringify(body) }))),
  ],
  ["/passkey/generate-authenticate-options", get(Nothing)],
  ["/passkey/verify-authentication", post(PasskeySignIn)],
  ["/passkey/list-user-passkeys", get(Nothing)],
  ["/passkey/delete-passkey", post(PasskeyRef)],
  ["/passkey/update-passkey", post(PasskeyName)],
]);

/**
 * Answers a request under /api/auth. Answers and refusals of the library leave as it made them, since its clients read them; ours, its limits
 * and its failures are the envelope of the API.
 */
export async function answerAuth(ask: SignInRequest): Promise<Response> {
  const { request, url } = ask.exchange;
  const route = AUTH_ROUTES.get(url.pathname.slice(AUTH_PATH.length));
  if (route === undefined) throw new ApiError("unknown_endpoint");
  if (request.method !== route.method) throw new ApiError("method_not_allowed", { headers: { Allow: `${route.method}, OPTIONS` } });
  const response = await route.answer(ask);
  if (response.status >= 500) throw new Error(`the sign-in library answered ${response.status} at ${url.pathname}`);
  return response;
}

function get(query: z.ZodType<Record<string, string | undefined>>): Route {
  return {
    method: "GET",
    answer: async (ask) => {
      const given = Object.entries(parseQuery(query, ask.exchange.url)).filter((pair): pair is [string, string] => pair[1] !== undefined);
      return askLibrary(ask, { search: new URLSearchParams(given).toString() });
    },
  };
}

function post<S extends z.ZodType>(
  schema: S,
  answer: (body: z.output<S>, ask: SignInRequest) => Promise<Response> = (body, ask) => askLibrary(ask, { body: JSON.stringify(body) }),
): Route {
  return {
    method: "POST",
    answer: async (ask) => {
      const { request, url } = ask.exchange;
      parseQuery(Nothing, url);
      // Sign-out and the like have nothing to say.
      return answer(parseBody(schema, request.body === null ? {} : await readJsonBody(request)), ask);
    },
  };
}

/** Hands the library what was parsed, and nothing else of query and body. */
async function askLibrary(
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

/** @throws ApiError invalid_query naming the parameter */
function parseQuery<S extends z.ZodType>(schema: S, url: URL): z.output<S> {
  const parsed = schema.safeParse(Object.fromEntries(url.searchParams));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const name = issue?.code === "unrecognized_keys" ? issue.keys[0] : issue?.path[0];
  const param = String(name).slice(0, 100);
  throw new ApiError("invalid_query", { param, message: `${param} is no parameter of this route, or not as it takes it.` });
}
