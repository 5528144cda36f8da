import type { z } from "zod";
import { ApiError } from "../../api/errors.ts";
import { networkOf } from "../../lib/network-of.ts";
import { MailUnavailable } from "../../platform/mail/mail.ts";
import { insertSignInCode } from "../../queries/accounts/sign-in-code-records.ts";
import { countSignInMail, type MailLimit } from "../../queries/accounts/sign-in-mails.ts";
import type { CodeRequest } from "./auth-schemas.ts";
import { presentCookie } from "../cookies.ts";
import { findKnownBrowser } from "./known-browser.ts";
import { CODE_COOKIE, CODE_SECONDS, CODE_TICKET, hashCode, generateCode } from "./sign-in-code-format.ts";
import { spendRequest } from "../spend-request.ts";
import { issueTicket } from "./tickets.ts";
import type { SignInRequest } from "../web-exchange.ts";
import { MINUTE_MS } from "../../scoring/utc-calendar.ts";

const WINDOW_MS = 15 * MINUTE_MS;
const CODES_TO_ONE_ADDRESS = 10;
const CODES_FROM_ONE_NETWORK = 20;
const CODES_TO_ONE_ADDRESS_FROM_ONE_NETWORK = 5;
const CODES_TO_A_KNOWN_BROWSER = 5;

/**
 * Mails a sign-in code. The response does not reveal whether the address has an account; no account is looked
 * up.
 *
 * A failed mail counts against the limits too: it may still arrive, and its code can be guessed.
 *
 * @throws ApiError rate_limited, mail_unavailable
 */
export async function sendCode(
  { email }: z.output<typeof CodeRequest>,
  { exchange, runtime, mail }: SignInRequest,
): Promise<Response> {
  const { request, ip, startedAt: now, requestId, log } = exchange;
  const { config, db, requestLimiter } = runtime;
  if (mail === null) throw new ApiError("mail_unavailable");
  const browser = await findKnownBrowser(request.headers, config, email);
  const network = networkOf(ip);
  await spendRequest(requestLimiter, "sign_in", browser === null ? `codes ${network}` : `codes ${browser}`);
  const fullSince = await countSignInMail(
    db,
    browser === null ? unknownBrowserLimits(email, network) : knownBrowserLimits(browser),
    WINDOW_MS,
    now,
  );
  if (fullSince !== null) {
    throw new ApiError("rate_limited", {
      message: "Too many codes have been requested. Use the last code, or wait for the Retry-After.",
      retryAt: new Date(fullSince.getTime() + WINDOW_MS),
    });
  }

  const { id, ticket } = await issueTicket(config, CODE_TICKET);
  const code = generateCode((numbers) => crypto.getRandomValues(numbers));
  const expiresAt = new Date(now.getTime() + CODE_SECONDS * 1000);
  await insertSignInCode(db, { id, hash: await hashCode(config.sessionSecret, { id, email }, code), expiresAt }, now);
  const headers = { "Set-Cookie": presentCookie(config, CODE_COOKIE, ticket, CODE_SECONDS) };
  const validity = `It works once, within ${CODE_SECONDS / 60} minutes.`;
  const text = `${code} is your sign-in code. ${validity}\nIf you did not request it, ignore this mail.`;
  await mail
    .send({ to: email, subject: `Your sign-in code for ${config.serviceName}`, text })
    .catch((error: unknown) => {
      if (!(error instanceof MailUnavailable)) throw error;
      log.error("sign_in.code_mail_failed", { request_id: requestId, error: error.message });
      throw new ApiError("mail_unavailable", { cause: error, headers });
    });
  return Response.json({ success: true }, { headers });
}

/**
 * Each network has its own allowance per address, so that a stranger exhausts only the allowance of the
 * stranger's network. The allowance per address bounds all mails to it, and with that the guesses
 * (`sign-in-code-format.ts`).
 */
const unknownBrowserLimits = (email: string, network: string): MailLimit[] => [
  { subject: `to ${email}`, most: CODES_TO_ONE_ADDRESS },
  { subject: `from ${network}`, most: CODES_FROM_ONE_NETWORK },
  { subject: `to ${email} from ${network}`, most: CODES_TO_ONE_ADDRESS_FROM_ONE_NETWORK },
];

/**
 * A known browser has its own allowance, which other clients cannot exhaust, not even behind the same IP
 * address.
 */
const knownBrowserLimits = (browser: string): MailLimit[] => [{ subject: browser, most: CODES_TO_A_KNOWN_BROWSER }];
