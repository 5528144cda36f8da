import { ApiError } from "../api/errors.ts";
import { parseBody, readJsonBody } from "../api/read-body.ts";
import type { Mail } from "../ports/mail.ts";
import type { Runtime } from "../runtime.ts";
import { AUTH_PATH, type Auth } from "./open-auth.ts";
import { CodeRequest, sendCode } from "./send-code.ts";
import type { WebExchange } from "./web-exchange.ts";

const SEND_CODE = "/email-otp/send-verification-otp";

/** What the website uses of the library. Everything else it could do, such as passwords, has no route. */
const ROUTES: ReadonlyMap<string, "GET" | "POST"> = new Map([
  [SEND_CODE, "POST"],
  ["/sign-in/email-otp", "POST"],
  ["/get-session", "GET"],
  ["/sign-out", "POST"],
  ["/list-sessions", "GET"],
  ["/revoke-session", "POST"],
  ["/revoke-sessions", "POST"],
  ["/revoke-other-sessions", "POST"],
  ["/passkey/generate-register-options", "GET"],
  ["/passkey/verify-registration", "POST"],
  ["/passkey/generate-authenticate-options", "GET"],
  ["/passkey/verify-authentication", "POST"],
  ["/passkey/list-user-passkeys", "GET"],
  ["/passkey/delete-passkey", "POST"],
  ["/passkey/update-passkey", "POST"],
]);

/**
 * Answers a request under /api/auth. Answers and refusals of the library leave as it made them, since its clients read them; ours, and
 * its limits, are the envelope of the API.
 */
export async function answerAuth(exchange: WebExchange, auth: Auth, mail: Mail | null, { db, config }: Runtime): Promise<Response> {
  const { request, url } = exchange;
  const path = url.pathname.slice(AUTH_PATH.length);
  const method = ROUTES.get(path);
  if (method === undefined) throw new ApiError("unknown_endpoint");
  if (request.method !== method) throw new ApiError("method_not_allowed", { headers: { Allow: `${method}, OPTIONS` } });
  // Sign-out and the like have nothing to say.
  const body = method === "GET" ? null : request.body === null ? {} : await readJsonBody(request);
  if (path === SEND_CODE) {
    await sendCode(parseBody(CodeRequest, body), exchange, { auth, db, mail, serviceName: config.serviceName });
    return Response.json({ success: true });
  }
  const response = await auth.handler(
    new Request(url, { method, headers: request.headers, body: body === null ? null : JSON.stringify(body) }),
  );
  if (response.status !== 429) return response;
  throw new ApiError("rate_limited", {
    message: "Too many attempts from this address. Wait.",
    retryAfterSeconds: Number(response.headers.get("x-retry-after") ?? 60),
  });
}
