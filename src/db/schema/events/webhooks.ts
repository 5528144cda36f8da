import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, smallint, text, uniqueIndex } from "drizzle-orm/pg-core";
import { id, instant, rowId } from "../../columns.ts";
import { accounts } from "../accounts/accounts.ts";

/**
 * A URL to which an account's events are posted. Secrets and the verification token are sealed
 * (`src/lib/crypto/sealed-text.ts`), each for its own purpose.
 */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    id: id(),
    accountId: rowId("account_id")
      .notNull()
      .references(() => accounts.id),
    name: text("name").notNull(),
    url: text("url").notNull(),
    /** The normalised URL: at most one endpoint of an account has it. */
    urlKey: text("url_key").notNull(),
    /** As registered, in the spelling that deliveries use. */
    eventTypes: text("event_types").array().notNull(),
    /**
     * `condition_id`, `wallet`, `min_grade`, `min_size_usd`: which large trades are delivered; `{}` delivers
     * all.
     */
    tradeFilters: jsonb("trade_filters").notNull(),
    status: text("status").notNull(),
    /**
     * Why it is disabled: `owner`, `failures` or `gone` (the receiver responded with 410); null otherwise.
     */
    disabledReason: text("disabled_reason"),
    verifiedAt: instant("verified_at"),
    verificationTokenSealed: text("verification_token_sealed").notNull(),
    verificationExpiresAt: instant("verification_expires_at").notNull(),
    secretSealed: text("secret_sealed").notNull(),
    /** Prepared, but not active yet. */
    stagedSecretSealed: text("staged_secret_sealed"),
    /** Signs together with the active secret until `overlapExpiresAt`. */
    previousSecretSealed: text("previous_secret_sealed"),
    overlapExpiresAt: instant("overlap_expires_at"),
    /** Consecutive failed attempts, over all its deliveries. */
    failureCount: integer("failure_count").notNull().default(0),
    /** While the circuit is open, nothing is posted. */
    openUntil: instant("open_until"),
    createdAt: instant("created_at").notNull().defaultNow(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
    deletedAt: instant("deleted_at"),
  },
  (table) => [
    index("webhook_endpoints_account").on(table.accountId, table.id),
    uniqueIndex("webhook_endpoints_url")
      .on(table.accountId, table.urlKey)
      .where(sql`deleted_at is null`),
    index("webhook_endpoints_active")
      .on(table.id)
      .where(sql`status = 'active'`),
    check("webhook_endpoints_status", sql`${table.status} in ('pending_verification', 'active', 'disabled')`),
  ],
);

/**
 * One event to be delivered to one endpoint. `body` is what is posted, byte for byte the same in every
 * attempt.
 */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: id(),
    endpointId: rowId("endpoint_id")
      .notNull()
      .references(() => webhookEndpoints.id),
    /** The event's public id, by which receivers detect duplicates. */
    eventId: text("event_id").notNull(),
    /** In the spelling that the endpoint registered. */
    eventType: text("event_type").notNull(),
    body: text("body").notNull(),
    status: text("status").notNull().default("pending"),
    attemptCount: integer("attempt_count").notNull().default(0),
    /** Null while processing, and once the delivery is final. */
    nextAttemptAt: instant("next_attempt_at"),
    scheduleReason: text("schedule_reason"),
    /** The lease of the running attempt, and when it expires. */
    lease: text("lease"),
    leaseUntil: instant("lease_until"),
    lastResponseStatus: smallint("last_response_status"),
    lastError: text("last_error"),
    deliveredAt: instant("delivered_at"),
    createdAt: instant("created_at").notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex("webhook_deliveries_event").on(table.endpointId, table.eventId),
    index("webhook_deliveries_newest").on(table.endpointId, table.id),
    // With the id, by which a claim orders deliveries of the same time: otherwise each claim reads all of them.
    index("webhook_deliveries_oldest_due")
      .on(table.endpointId, table.nextAttemptAt, table.id)
      .where(sql`status in ('pending', 'retry')`),
    index("webhook_deliveries_overdue")
      .on(table.nextAttemptAt)
      .where(sql`status in ('pending', 'retry')`),
    index("webhook_deliveries_processing")
      .on(table.endpointId, table.leaseUntil)
      .where(sql`status = 'processing'`),
    index("webhook_deliveries_age").on(table.createdAt),
    check(
      "webhook_deliveries_status",
      sql`${table.status} in ('pending', 'processing', 'retry', 'delivered', 'dead_letter')`,
    ),
  ],
);

/** The asynchronous verification of a receiver: a signed challenge, tried up to four times. */
export const webhookVerificationAttempts = pgTable(
  "webhook_verification_attempts",
  {
    id: text("id").primaryKey(),
    endpointId: rowId("endpoint_id")
      .notNull()
      .references(() => webhookEndpoints.id),
    state: text("state").notNull(),
    outcome: text("outcome"),
    attemptCount: smallint("attempt_count").notNull().default(0),
    lease: text("lease"),
    leaseUntil: instant("lease_until"),
    expiresAt: instant("expires_at").notNull(),
    nextAttemptAt: instant("next_attempt_at"),
    lastResponseStatus: smallint("last_response_status"),
    startedAt: instant("started_at"),
    completedAt: instant("completed_at"),
    createdAt: instant("created_at").notNull().defaultNow(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (table) => [
    index("webhook_verification_attempts_endpoint").on(table.endpointId, table.createdAt),
    index("webhook_verification_attempts_due")
      .on(table.nextAttemptAt)
      .where(sql`state = 'queued'`),
    index("webhook_verification_attempts_running")
      .on(table.leaseUntil)
      .where(sql`state = 'running'`),
    check(
      "webhook_verification_attempts_state",
      sql`${table.state} in ('queued', 'running', 'verified', 'failed', 'cancelled', 'expired')`,
    ),
  ],
);
