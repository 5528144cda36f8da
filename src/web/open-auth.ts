import { passkey } from "@better-auth/passkey";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { isAPIError } from "better-auth/api";
import { betterAuth } from "better-auth/minimal";
import { passkeys, sessions, signInMethods, users, verifications } from "../db/sign-in-tables.ts";
import type { Log } from "../lib/log.ts";
import { ensureAccount } from "../queries/account.ts";
import type { Runtime } from "../runtime.ts";
import { areCookiesSecure, cookiePrefix } from "./cookies.ts";
import { refuseKnownPasskey } from "./passkey-registration.ts";
import { provenEmail } from "./proven-email.ts";

export const AUTH_PATH = "/api/auth";
const SESSION_SECONDS = 7 * 86_400;
const SESSION_RENEWED_AFTER_SECONDS = 86_400;

/** The sign-in: sessions in cookies, passkeys, and sessions for who has entered a mailed code. There are no passwords. */
export function openAuth({ config, db }: Pick<Runtime, "config" | "db">, log: Log) {
  const { origin, hostname } = new URL(config.webBaseUrl);
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
      },
    }),
    user: { additionalFields: { accountId: { type: "number", required: false, input: false } } },
    session: { expiresIn: SESSION_SECONDS, updateAge: SESSION_RENEWED_AFTER_SECONDS },
    databaseHooks: {
      user: { create: { before: async (user) => ({ data: { ...user, accountId: await ensureAccount(db, user.email) } }) } },
    },
    // Its own would write a row for every request, refused ones too (`spend-request.ts`).
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: cookiePrefix(config),
      // It would put `__Secure-` before the prefix.
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax", path: "/", secure: areCookiesSecure(config) },
      // Said outright: left alone, the library decides these by the environment it believes it runs in.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      ipAddress: { ipAddressHeaders: ["cf-connecting-ip"] },
    },
    plugins: [
      provenEmail,
      passkey({
        rpID: hostname,
        rpName: config.serviceName,
        origin,
        registration: { afterVerification: (made) => refuseKnownPasskey(db, made) },
      }),
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
