import type { z } from "zod";
import { ApiError } from "../api/errors.ts";
import { networkOf } from "../lib/network-of.ts";
import { MailUnavailable } from "../ports/mail.ts";
import { insertSignInCode } from "../queries/sign-in-codes.ts";
import { countSignInMail, type MailLimit } from "../queries/sign-in-mails.ts";
import type { CodeRequest } from "./auth-schemas.ts";
import { presentCookie } from "./cookies.ts";
import { findKnownBrowser } from "./known-browser.ts";
import { CODE_COOKIE, CODE_SECONDS, CODE_TICKET, hashCode, makeCode } from "./sign-in-codes.ts";
import { spendRequest } from "./spend-request.ts";
import { makeTicket } from "./tickets.ts";
import type { SignInRequest } from "./web-exchange.ts";

const WINDOW_MS = 15 * 60_000;
const CODES_TO_ONE_ADDRESS = 10;
const CODES_FROM_ONE_NETWORK = 20;
const CODES_TO_ONE_ADDRESS_FROM_ONE_NETWORK = 5;
const CODES_TO_A_KNOWN_BROWSER = 5;

/**
 * Mails a code for a sign-in. The answer does not tell whether the address has an account, and nothing is looked up that could.
 *
 * A mail that fails counts like any other: its code can be guessed at, and it may arrive all the same.
 *
 * @throws ApiError rate_limited, mail_unavailable
 */
export async function sendCode({ email }: z.output<typeof CodeRequest>, { exchange, runtime, mail }: SignInRequest): Promise<Response> {
  const { request, ip, startedAt: now, requestId, log } = exchange;
  const { config, db, requestLimiter } = runtime;
  if (mail === null) throw new ApiError("mail_unavailable");
  const browser = await findKnownBrowser(request.headers, config, email);
  const network = networkOf(ip);
  await spendRequest(requestLimiter, "sign_in", browser === null ? `codes ${network}` : `codes ${browser}`);
  const fullSince = await countSignInMail(db, browser === null ? limitsOfStranger(email, network) : limitsOfKnown(browser), WINDOW_MS, now);
  if (fullSince !== null) {
    throw new ApiError("rate_limited", {
      message: "Too many codes have been asked for. Use the last one, or wait.",
      retryAt: new Date(fullSince.getTime() + WINDOW_MS),
    });
  }

  const { id, ticket } = await makeTicket(config, CODE_TICKET);
  const code = makeCode((numbers) => crypto.getRandomValues(numbers));
  const expiresAt = new Date(now.getTime() + CODE_SECONDS * 1000);
  await insertSignInCode(db, { id, hash: await hashCode(config.sessionSecret, { id, email }, code), expiresAt }, now);
  const headers = { "Set-Cookie": presentCookie(config, CODE_COOKIE, ticket, CODE_SECONDS) };
  const text = `${code} is your code to sign in. It works once, for ${CODE_SECONDS / 60} minutes.\nIf you did not ask for it, ignore this mail.`;
  await mail.send({ to: email, subject: `Your code for ${config.serviceName}`, text }).catch((error: unknown) => {
    if (!(error instanceof MailUnavailable)) throw error;
    log.error("a sign-in code was not mailed", { request_id: requestId, error: error.message });
    throw new ApiError("mail_unavailable", { cause: error, headers });
  });
  return Response.json({ success: true }, { headers });
}

/**
 * Each network has an allowance of its own for an address, so that a stranger uses up none but his. The one that all of them share bounds the
 * mails to an address, and with that the guesses (`sign-in-codes.ts`).
 */
const limitsOfStranger = (email: string, network: string): MailLimit[] => [
  { subject: `to ${email}`, most: CODES_TO_ONE_ADDRESS },
  { subject: `from ${network}`, most: CODES_FROM_ONE_NETWORK },
  { subject: `to ${email} from ${network}`, most: CODES_TO_ONE_ADDRESS_FROM_ONE_NETWORK },
];

/** A browser that has signed in with the address before is let in whatever strangers do, also those behind its own IP address. */
const limitsOfKnown = (browser: string): MailLimit[] => [{ subject: browser, most: CODES_TO_A_KNOWN_BROWSER }];
