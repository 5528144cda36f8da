import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, smallint, text } from "drizzle-orm/pg-core";
import { instant, rowId } from "../../columns.ts";
import { accounts } from "./accounts.ts";

/**
 * An application that asks accounts for access: one that registered itself, or one that is described by a
 * document, whose URL is its id. All are public clients: they have no secret.
 */
export const oauthClients = pgTable(
  "oauth_clients",
  {
    id: text("id").primaryKey(),
    name: text("name"),
    uri: text("uri"),
    redirectUris: text("redirect_uris").array().notNull(),
    grantTypes: text("grant_types").array().notNull(),
    /** The scopes it may ask for. */
    scopes: text("scopes").array().notNull(),
    createdAt: instant("created_at").notNull(),
    /** When its document was last read; null for a client that registered itself. */
    fetchedAt: instant("fetched_at"),
    /** When it last asked an account for access. Unused clients without a grant are deleted. */
    usedAt: instant("used_at").notNull(),
  },
  (table) => [index("oauth_clients_used").on(table.usedAt)],
);

/**
 * Access that an account has granted to a client, until it is revoked or unused for 30 days. Its tokens count
 * as one credential, so its id comes from the sequence of `api_keys`.
 */
export const oauthGrants = pgTable(
  "oauth_grants",
  {
    id: rowId("id")
      .primaryKey()
      .default(sql`nextval('api_keys_id_seq')`),
    accountId: rowId("account_id")
      .notNull()
      .references(() => accounts.id),
    clientId: text("client_id")
      .notNull()
      .references(() => oauthClients.id),
    scopes: text("scopes").array().notNull(),
    resource: text("resource").notNull(),
    createdAt: instant("created_at").notNull(),
    /** The end of the newest refresh token, or of the only access token. */
    expiresAt: instant("expires_at").notNull(),
    revokedAt: instant("revoked_at"),
    /** Why it was revoked; null while it is not. */
    endedBy: text("ended_by"),
    /** The generation of the refresh tokens that may be used. */
    generation: integer("generation").notNull().default(0),
    /** When the last generation was used; null before the first refresh. */
    rotatedAt: instant("rotated_at"),
    /** Changes with every write. A writer names the version that it has read. */
    version: integer("version").notNull().default(0),
  },
  (table) => [
    index("oauth_grants_account").on(table.accountId, table.id),
    index("oauth_grants_client").on(table.clientId),
    index("oauth_grants_expires").on(table.expiresAt),
    check("oauth_grants_resource", sql`${table.resource} in ('api', 'mcp')`),
    check(
      "oauth_grants_ended_by",
      sql`${table.endedBy} in ('owner', 'client', 'code_reuse', 'refresh_reuse')
        and (${table.endedBy} is null) = (${table.revokedAt} is null)`,
    ),
  ],
);

const grantId = () =>
  rowId("grant_id")
    .notNull()
    .references(() => oauthGrants.id, { onDelete: "cascade" });

/** Only the keyed hash of a token is stored. */
export const oauthAccessTokens = pgTable(
  "oauth_access_tokens",
  {
    hash: text("hash").primaryKey(),
    grantId: grantId(),
    /** Those of the grant, or fewer. */
    scopes: text("scopes").array().notNull(),
    resource: text("resource").notNull(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    revokedAt: instant("revoked_at"),
  },
  (table) => [
    index("oauth_access_tokens_grant").on(table.grantId),
    index("oauth_access_tokens_expires").on(table.expiresAt),
    check("oauth_access_tokens_resource", sql`${table.resource} in ('api', 'mcp')`),
  ],
);

/** Only the keyed hash of a token is stored. Used tokens stay until they expire, so that reuse is noticed. */
export const oauthRefreshTokens = pgTable(
  "oauth_refresh_tokens",
  {
    hash: text("hash").primaryKey(),
    grantId: grantId(),
    generation: integer("generation").notNull(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    index("oauth_refresh_tokens_grant").on(table.grantId),
    index("oauth_refresh_tokens_expires").on(table.expiresAt),
  ],
);

/** Authorization codes, as keyed hashes. A used code stays for a day, so that reuse is noticed. */
export const oauthCodes = pgTable(
  "oauth_codes",
  {
    hash: text("hash").primaryKey(),
    accountId: rowId("account_id")
      .notNull()
      .references(() => accounts.id),
    clientId: text("client_id")
      .notNull()
      .references(() => oauthClients.id),
    redirectUri: text("redirect_uri").notNull(),
    codeChallenge: text("code_challenge").notNull(),
    scopes: text("scopes").array().notNull(),
    resource: text("resource").notNull(),
    expiresAt: instant("expires_at").notNull(),
    /** The grant that was made of it; null while it is unused. */
    grantId: rowId("grant_id").references(() => oauthGrants.id, { onDelete: "cascade" }),
  },
  (table) => [
    index("oauth_codes_expires").on(table.expiresAt),
    index("oauth_codes_client").on(table.clientId),
    index("oauth_codes_grant")
      .on(table.grantId)
      .where(sql`${table.grantId} is not null`),
  ],
);

/** Requests of devices for access, as keyed hashes of their two codes. */
export const oauthDeviceCodes = pgTable(
  "oauth_device_codes",
  {
    hash: text("hash").primaryKey(),
    userCodeHash: text("user_code_hash").notNull().unique(),
    clientId: text("client_id")
      .notNull()
      .references(() => oauthClients.id),
    scopes: text("scopes").array().notNull(),
    resource: text("resource").notNull(),
    expiresAt: instant("expires_at").notNull(),
    decision: text("decision").notNull().default("pending"),
    /** The account that decided; null while it is pending. */
    accountId: rowId("account_id").references(() => accounts.id),
    intervalSeconds: smallint("interval_seconds").notNull(),
    polledAt: instant("polled_at"),
    /** Changes with every write. A writer names the version that it has read. */
    version: integer("version").notNull().default(0),
  },
  (table) => [
    index("oauth_device_codes_expires").on(table.expiresAt),
    index("oauth_device_codes_client").on(table.clientId),
    check(
      "oauth_device_codes_decision",
      sql`${table.decision} in ('pending', 'approved', 'denied', 'redeemed')
        and (${table.decision} = 'pending') = (${table.accountId} is null)`,
    ),
  ],
);
