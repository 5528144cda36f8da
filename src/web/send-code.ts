import { z } from "zod";
import { ApiError } from "../api/errors.ts";
import type { Database } from "../db/client.ts";
import { MailUnavailable, type Mail } from "../ports/mail.ts";
import { countSignInMail } from "../queries/sign-in-mails.ts";
import { CODE_SECONDS, type Auth } from "./open-auth.ts";
import type { WebExchange } from "./web-exchange.ts";

export const CodeRequest = z.object({ email: z.email().max(254).toLowerCase(), type: z.literal("sign-in") });

const WINDOW_MS = 15 * 60_000;
/** With 3 attempts at each of them and 8 digits, guessing for a year succeeds with probability 0.005. */
const CODES_TO_ONE_ADDRESS = 5;
const CODES_FROM_ONE_IP = 20;

/**
 * Mails a code to whoever wants to sign in. The answer does not tell whether the address has an account.
 *
 * A mail that fails counts like any other: its code can be guessed at, and it may arrive all the same.
 *
 * @throws ApiError rate_limited, mail_unavailable
 */
export async function sendCode(
  { email }: z.output<typeof CodeRequest>,
  { ip, startedAt: now, requestId, log }: WebExchange,
  { auth, db, mail, serviceName }: { auth: Auth; db: Database; mail: Mail | null; serviceName: string },
): Promise<void> {
  if (mail === null) throw new ApiError("mail_unavailable");
  const limits = new Map([
    [`to ${email}`, CODES_TO_ONE_ADDRESS],
    [`from ${ip}`, CODES_FROM_ONE_IP],
  ]);
  const counts = await countSignInMail(db, [`to ${email}`, `from ${ip}`], WINDOW_MS, now);
  const spent = counts.filter(({ subject, sent }) => sent > (limits.get(subject) ?? 0));
  if (spent.length > 0) {
    const openedMs = Math.max(...spent.map(({ opened_ms }) => opened_ms));
    throw new ApiError("rate_limited", {
      message: "Too many codes have been asked for. Use the last one, or wait.",
      retryAfterSeconds: (openedMs + WINDOW_MS - now.getTime()) / 1000,
    });
  }
  const code = await auth.api.createVerificationOTP({ body: { email, type: "sign-in" } });
  const text = `${code} is your code to sign in. It works once, for ${CODE_SECONDS / 60} minutes.\nIf you did not ask for it, ignore this mail.`;
  await mail.send({ to: email, subject: `Your code for ${serviceName}`, text }).catch((error: unknown) => {
    if (!(error instanceof MailUnavailable)) throw error;
    log.error("a sign-in code was not mailed", { request_id: requestId, error: error.message });
    throw new ApiError("mail_unavailable", { cause: error });
  });
}
