import type { z } from "zod";
import { networkOf } from "../../lib/network-of.ts";
import { guessSignInCode, type GuessOutcome } from "../../queries/accounts/sign-in-code-records.ts";
import type { CodeEntry } from "./auth-schemas.ts";
import { presentCookie, readCookie } from "../cookies.ts";
import { rememberBrowser } from "./known-browser.ts";
import { CODE_COOKIE, CODE_TICKET, MAX_CODE_GUESSES, hashCode } from "./sign-in-code-format.ts";
import { spendRequest } from "../spend-request.ts";
import { verifyTicket } from "./tickets.ts";
import type { SignInRequest } from "../web-exchange.ts";

/** In the library's format, which its client reads. */
const REFUSALS: Record<Exclude<GuessOutcome, "right">, { status: number; code: string; message: string }> = {
  wrong: { status: 400, code: "INVALID_OTP", message: "Invalid OTP" },
  expired: { status: 400, code: "OTP_EXPIRED", message: "OTP expired" },
  spent: { status: 403, code: "TOO_MANY_ATTEMPTS", message: "Too many attempts" },
};

/**
 * Signs in with a mailed code, in the browser that requested it; without that browser's cookie every code is
 * wrong. Limits: 10 requests per minute and network without the cookie, and 3 guesses per code with it.
 *
 * @throws ApiError rate_limited
 */
export async function enterCode(
  { email, otp }: z.output<typeof CodeEntry>,
  { exchange, runtime, auth }: SignInRequest,
): Promise<Response> {
  const { request, ip, startedAt: now } = exchange;
  const { config, db, requestLimiter } = runtime;
  const id = await verifyTicket(config, CODE_TICKET, readCookie(request.headers, config, CODE_COOKIE));
  await spendRequest(requestLimiter, "guess", id === null ? networkOf(ip) : `code ${id}`);
  const outcome = id === null ? "wrong" : await guess(id);
  if (outcome !== "right") {
    const { status, ...body } = REFUSALS[outcome];
    return Response.json(body, { status });
  }
  const signedIn = await auth.api.signInProven({ body: { email }, headers: request.headers, asResponse: true });
  const headers = new Headers(signedIn.headers);
  headers.append("Set-Cookie", presentCookie(config, CODE_COOKIE, "", 0));
  headers.append("Set-Cookie", await rememberBrowser(request.headers, config, email));
  return new Response(signedIn.body, { status: signedIn.status, headers });

  async function guess(codeId: string): Promise<GuessOutcome> {
    const hash = await hashCode(config.sessionSecret, { id: codeId, email }, otp);
    return guessSignInCode(db, { id: codeId, hash, most: MAX_CODE_GUESSES }, now);
  }
}
