import { boolean, index, integer, pgTable, smallint, text } from "drizzle-orm/pg-core";
import { instant, rowId } from "./columns.ts";
import { accounts } from "./schema/accounts/accounts.ts";

/*
 * The users of the website. better-auth (`src/web/sign-in/open-auth.ts`) writes the rows and defines the
 * columns; the names are ours. Its "account", a way to sign in, is `sign_in_methods` here; our `accounts` own
 * keys and plans.
 */

/**
 * A person. `account_id` is the account of that person, one to one; the row is created at the first sign-in.
 */
export const users = pgTable("users", {
  id: text("id").primaryKey(),
  accountId: rowId("account_id")
    .notNull()
    .unique()
    .references(() => accounts.id),
  name: text("name").notNull(),
  email: text("email").notNull().unique(),
  emailVerified: boolean("email_verified").notNull().default(false),
  image: text("image"),
  createdAt: instant("created_at").notNull().defaultNow(),
  updatedAt: instant("updated_at").notNull().defaultNow(),
});

const userId = () =>
  text("user_id")
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });

/** A cookie carries `token` with a signature. The signing secret is not in this database. */
export const sessions = pgTable(
  "sessions",
  {
    id: text("id").primaryKey(),
    token: text("token").notNull().unique(),
    userId: userId(),
    expiresAt: instant("expires_at").notNull(),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    createdAt: instant("created_at").notNull().defaultNow(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (table) => [index("sessions_user").on(table.userId)],
);

/**
 * Passwords and identities at other services. Neither is offered, so the table stays empty; the library still
 * reads it.
 */
export const signInMethods = pgTable(
  "sign_in_methods",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(),
    providerId: text("provider_id").notNull(),
    userId: userId(),
    accessToken: text("access_token"),
    refreshToken: text("refresh_token"),
    idToken: text("id_token"),
    accessTokenExpiresAt: instant("access_token_expires_at"),
    refreshTokenExpiresAt: instant("refresh_token_expires_at"),
    scope: text("scope"),
    password: text("password"),
    createdAt: instant("created_at").notNull().defaultNow(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (table) => [index("sign_in_methods_user").on(table.userId)],
);

/** Passkey challenges. */
export const verifications = pgTable(
  "verifications",
  {
    id: text("id").primaryKey(),
    identifier: text("identifier").notNull(),
    value: text("value").notNull(),
    expiresAt: instant("expires_at").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (table) => [index("verifications_identifier").on(table.identifier)],
);

export const passkeys = pgTable(
  "passkeys",
  {
    id: text("id").primaryKey(),
    name: text("name"),
    publicKey: text("public_key").notNull(),
    userId: userId(),
    credentialID: text("credential_id").notNull().unique(),
    counter: rowId("counter").notNull(),
    deviceType: text("device_type").notNull(),
    backedUp: boolean("backed_up").notNull(),
    transports: text("transports"),
    createdAt: instant("created_at"),
    aaguid: text("aaguid"),
  },
  (table) => [index("passkeys_user").on(table.userId)],
);

/**
 * A mailed sign-in code, keyed by the sign-in request, which only one browser can continue. The e-mail
 * address is only in the hash.
 */
export const signInCodes = pgTable(
  "sign_in_codes",
  {
    id: text("id").primaryKey(),
    codeHash: text("code_hash").notNull(),
    /** Number of wrong guesses. */
    guesses: smallint("guesses").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [index("sign_in_codes_expires").on(table.expiresAt)],
);

/**
 * How many codes have been mailed since `window_started_at`. `subject` is `to` and an e-mail address, `from`
 * and a network, both, or `browser` and a known browser.
 */
export const signInMails = pgTable(
  "sign_in_mails",
  {
    subject: text("subject").primaryKey(),
    sent: integer("sent").notNull(),
    windowStartedAt: instant("window_started_at").notNull(),
  },
  (table) => [index("sign_in_mails_window").on(table.windowStartedAt)],
);
