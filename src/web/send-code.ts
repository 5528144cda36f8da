import { z } from "zod";
import { ApiError } from "../api/errors.ts";
import type { Database } from "../db/client.ts";
import type { Mail } from "../ports/mail.ts";
import { countSignInMail } from "../queries/sign-in-mails.ts";
import { CODE_SECONDS, type Auth } from "./open-auth.ts";

export const CodeRequest = z.object({ email: z.email().max(254).toLowerCase(), type: z.literal("sign-in") });

const WINDOW_MS = 15 * 60_000;
/** With 3 attempts at each of them and 8 digits, guessing for a year succeeds with probability 0.005. */
const CODES_TO_ONE_ADDRESS = 5;
const CODES_FROM_ONE_IP = 20;

/**
 * Mails a code to whoever wants to sign in. The answer does not tell whether the address has an account.
 *
 * @throws ApiError rate_limited; whatever the mail service throws
 */
export async function sendCode(
  { email }: z.output<typeof CodeRequest>,
  from: { ip: string; now: Date },
  parts: { auth: Auth; db: Database; mail: Mail; serviceName: string },
): Promise<void> {
  const limits = new Map([
    [`to ${email}`, CODES_TO_ONE_ADDRESS],
    [`from ${from.ip}`, CODES_FROM_ONE_IP],
  ]);
  const counts = await countSignInMail(parts.db, [`to ${email}`, `from ${from.ip}`], WINDOW_MS, from.now);
  const spent = counts.filter(({ subject, sent }) => sent > (limits.get(subject) ?? 0));
  if (spent.length > 0) {
    const openedMs = Math.max(...spent.map(({ opened_ms }) => opened_ms));
    throw new ApiError("rate_limited", {
      message: "Too many codes have been asked for. Use the last one, or wait.",
      retryAfterSeconds: (openedMs + WINDOW_MS - from.now.getTime()) / 1000,
    });
  }
  const code = await parts.auth.api.createVerificationOTP({ body: { email, type: "sign-in" } });
  await parts.mail.send({
    to: email,
    subject: `Your code for ${parts.serviceName}`,
    text: `${code} is your code to sign in. It works once, for ${CODE_SECONDS / 60} minutes.\nIf you did not ask for it, ignore this mail.`,
  });
}
