import { passkey } from "@better-auth/passkey";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { isAPIError } from "better-auth/api";
import { betterAuth } from "better-auth/minimal";
import { passkeys, sessions, signInMethods, users, verifications } from "../../db/sign-in-tables.ts";
import type { Log } from "../../platform/log/log.ts";
import { ensureAccount } from "../../queries/accounts/account.ts";
import type { Runtime } from "../../runtime.ts";
import { areCookiesSecure, cookiePrefix } from "../cookies.ts";
import { refuseKnownPasskey } from "./passkey-registration.ts";
import { provenEmail } from "./proven-email.ts";

export const AUTH_PATH = "/api/auth";
const SESSION_SECONDS = 7 * 86_400;
const SESSION_RENEWED_AFTER_SECONDS = 86_400;

/** Opens the sign-in library: cookie sessions, passkeys and mailed codes. There are no passwords. */
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
      // The HTTP driver sends each statement separately.
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
      user: {
        create: { before: async (user) => ({ data: { ...user, accountId: await ensureAccount(db, user.email) } }) },
      },
    },
    // Off: the library's limiter writes a row for every request, even a refused one. See `spend-request.ts`.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: cookiePrefix(config),
      // Off: it would put `__Secure-` before the prefix.
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax", path: "/", secure: areCookiesSecure(config) },
      // Explicit, because the library's defaults depend on the environment that it detects.
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
        registration: { afterVerification: (registration) => refuseKnownPasskey(db, registration) },
      }),
    ],
    onAPIError: {
      // Errors that are not the library's own, such as an unavailable database, use our error envelope.
      onError: (error) => {
        if (!isAPIError(error)) throw error;
      },
    },
    // Only the message: the details contain personal data.
    logger: {
      level: "error",
      log: (_level, message) => log.warn("sign_in.library_error_reported", { library_message: message }),
    },
  });
}

export type Auth = ReturnType<typeof openAuth>;
