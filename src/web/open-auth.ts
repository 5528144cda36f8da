import { passkey } from "@better-auth/passkey";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { isAPIError } from "better-auth/api";
import { betterAuth } from "better-auth/minimal";
import { emailOTP } from "better-auth/plugins/email-otp";
import { hashCredential } from "../auth/keys.ts";
import { passkeys, sessions, signInMethods, signInRates, users, verifications } from "../db/sign-in-tables.ts";
import type { Log } from "../lib/log.ts";
import { ensureAccount } from "../queries/account.ts";
import type { Runtime } from "../runtime.ts";

export const AUTH_PATH = "/api/auth";
export const CODE_DIGITS = 8;
export const CODE_SECONDS = 600;
const WRONG_CODES = 3;
const SESSION_SECONDS = 7 * 86_400;
const SESSION_RENEWED_AFTER_SECONDS = 86_400;
/** From one IP address, on each route. */
const ATTEMPTS_A_MINUTE = 10;

/** The sign-in: sessions in cookies, codes by mail, passkeys. Nobody has a password. */
export function openAuth({ config, db }: Pick<Runtime, "config" | "db">, log: Log) {
  const { origin, hostname, protocol } = new URL(config.webBaseUrl);
  return betterAuth({
    appName: config.serviceName,
    baseURL: origin,
    basePath: AUTH_PATH,
    secret: config.sessionSecret,
    trustedOrigins: [origin],
    telemetry: { enabled: false },
    database: drizzleAdapter(db, {
      provider: "pg",
      // Statements travel one by one over HTTP.
      transaction: false,
      schema: {
        user: users,
        session: sessions,
        account: signInMethods,
        verification: verifications,
        passkey: passkeys,
        rateLimit: signInRates,
      },
    }),
    user: { additionalFields: { accountId: { type: "number", required: false, input: false } } },
    session: { expiresIn: SESSION_SECONDS, updateAge: SESSION_RENEWED_AFTER_SECONDS },
    databaseHooks: {
      user: { create: { before: async (user) => ({ data: { ...user, accountId: await ensureAccount(db, user.email) } }) } },
    },
    rateLimit: { enabled: true, storage: "database", window: 60, max: 60 },
    advanced: {
      cookiePrefix: config.keyPrefix,
      useSecureCookies: !(protocol === "http:" && hostname === "localhost"),
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax" },
      // Said outright: left alone, the library decides these by the environment it believes it runs in.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      ipAddress: { ipAddressHeaders: ["cf-connecting-ip"] },
    },
    plugins: [
      emailOTP({
        otpLength: CODE_DIGITS,
        expiresIn: CODE_SECONDS,
        allowedAttempts: WRONG_CODES,
        storeOTP: { hash: (code) => hashCredential(config.sessionSecret, code) },
        rateLimit: { window: 60, max: ATTEMPTS_A_MINUTE },
        // The library would tell the client that a mail it could not send was sent; `send-code.ts` mails codes itself.
        sendVerificationOTP: () => Promise.reject(new Error("the library does not mail codes")),
      }),
      passkey({ rpID: hostname, rpName: config.serviceName, origin }),
    ],
    onAPIError: {
      // What is no answer of the library's own, such as a database that is away, is presented as everywhere else.
      onError: (error) => {
        if (!isAPIError(error)) throw error;
      },
    },
    // Its details name people.
    logger: { level: "error", log: (_level, message) => log.warn("sign-in library", { said: message }) },
  });
}

export type Auth = ReturnType<typeof openAuth>;
