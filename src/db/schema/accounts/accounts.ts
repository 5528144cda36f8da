import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { id, instant, rowId } from "../../columns.ts";

export const accounts = pgTable(
  "accounts",
  {
    id: id(),
    email: text("email").notNull().unique(),
    plan: text("plan").notNull(),
    state: text("state").notNull().default("active"),
    /** Whether requests beyond the monthly included quota are served and billed, up to the ceiling. */
    payAsYouGo: boolean("pay_as_you_go").notNull().default(false),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (table) => [
    check("accounts_plan", sql`${table.plan} in ('free', 'pro', 'max')`),
    check("accounts_state", sql`${table.state} in ('active', 'lapsed', 'deleted', 'locked')`),
  ],
);

/**
 * A named integration and the scopes of its keys. It has one live key, or two until `overlap_ends_at`, when
 * the older one expires. Its name can be reused once the integration is revoked, but not when only its key
 * has expired.
 */
export const integrations = pgTable(
  "integrations",
  {
    id: id(),
    accountId: rowId("account_id")
      .notNull()
      .references(() => accounts.id),
    name: text("name").notNull(),
    scopes: text("scopes").array().notNull(),
    /** Lifetime of each of its keys, in days from the creation of the key. */
    lifetimeDays: smallint("lifetime_days").notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    revokedAt: instant("revoked_at"),
    /** Null before the first rotation. */
    overlapEndsAt: instant("overlap_ends_at"),
  },
  (table) => [
    uniqueIndex("integrations_live_name")
      .on(table.accountId, table.name)
      .where(sql`${table.revokedAt} is null`),
    index("integrations_account").on(table.accountId, table.id),
    check("integrations_lifetime", sql`${table.lifetimeDays} between 1 and 90`),
  ],
);

/** Only the keyed hash of a key is stored. `prefix` is the part that lists may show. */
export const apiKeys = pgTable(
  "api_keys",
  {
    id: id(),
    accountId: rowId("account_id")
      .notNull()
      .references(() => accounts.id),
    /** Null on default keys. */
    integrationId: rowId("integration_id").references(() => integrations.id),
    /** The owner's name for a default key. Null on keys of integrations: the integration has the name. */
    name: text("name"),
    keyHash: text("key_hash").notNull().unique(),
    prefix: text("prefix").notNull(),
    scopes: text("scopes").array().notNull(),
    createdAt: instant("created_at").notNull().defaultNow(),
    expiresAt: instant("expires_at"),
    revokedAt: instant("revoked_at"),
  },
  (table) => [
    index("api_keys_account").on(table.accountId, table.id),
    index("api_keys_integration")
      .on(table.integrationId, table.id)
      .where(sql`${table.integrationId} is not null`),
  ],
);

/**
 * Requests per UTC day, key and operation, as counted by the user's meter. Totals are written, not
 * increments, so that writing twice changes nothing.
 */
export const usageDays = pgTable(
  "usage_days",
  {
    accountId: rowId("account_id").notNull(),
    keyId: rowId("key_id").notNull(),
    day: date("day").notNull(),
    operation: text("operation").notNull(),
    requests: rowId("requests").notNull(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.day, table.keyId, table.operation] })],
);

/** The first outcome of a request with an Idempotency-Key, returned again when the request is repeated. */
export const idempotencyRecords = pgTable(
  "idempotency_records",
  {
    accountId: rowId("account_id").notNull(),
    operation: text("operation").notNull(),
    key: text("key").notNull(),
    /** SHA-256 of method, path and body, in hex. */
    requestHash: text("request_hash").notNull(),
    /** Null while the first request runs. */
    status: integer("status"),
    body: text("body"),
    createdAt: instant("created_at").notNull().defaultNow(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.operation, table.key] }),
    index("idempotency_records_expires").on(table.expiresAt),
  ],
);
