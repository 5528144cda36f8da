import type { z } from "zod";
import { networkOf } from "../lib/network-of.ts";
import { guessSignInCode, type GuessOutcome } from "../queries/sign-in-codes.ts";
import type { CodeEntry } from "./auth-schemas.ts";
import { presentCookie, readCookie } from "./cookies.ts";
import { rememberBrowser } from "./known-browser.ts";
import { CODE_COOKIE, CODE_TICKET, GUESSES, hashCode } from "./sign-in-codes.ts";
import { spendRequest } from "./spend-request.ts";
import { openTicket } from "./tickets.ts";
import type { SignInRequest } from "./web-exchange.ts";

/** In the library's form, as its clients read them. */
const REFUSALS: Record<Exclude<GuessOutcome, "right">, { status: number; code: string; message: string }> = {
  wrong: { status: 400, code: "INVALID_OTP", message: "Invalid OTP" },
  expired: { status: 400, code: "OTP_EXPIRED", message: "OTP expired" },
  spent: { status: 403, code: "TOO_MANY_ATTEMPTS", message: "Too many attempts" },
};

/**
 * Signs in with a mailed code, on the browser that asked for it; without its cookie there is nothing to guess at. From one network that is 10
 * guesses a minute that cannot be right, and 3 at each of the codes it may ask for.
 *
 * @throws ApiError rate_limited
 */
export async function enterCode({ email, otp }: z.output<typeof CodeEntry>, { exchange, runtime, auth }: SignInRequest): Promise<Response> {
  const { request, ip, startedAt: now } = exchange;
  const { config, db, requestLimiter } = runtime;
  const id = await openTicket(config, CODE_TICKET, readCookie(request.headers, config, CODE_COOKIE));
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
    return guessSignInCode(db, { id: codeId, hash, most: GUESSES }, now);
  }
}
