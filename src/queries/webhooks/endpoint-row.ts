import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { TradeFilters } from "../../domain/webhooks/trade-filters.ts";
import { count, iso } from "../rows.ts";

/** An endpoint as its owner may see it: no secret, no token. */
export const EndpointRow = z.object({
  id: count,
  name: z.string(),
  url: z.string(),
  event_types: z.array(z.string()),
  trade_filters: TradeFilters,
  status: z.enum(["pending_verification", "active", "disabled"]),
  verified_at: z.string().nullable(),
  verification_expires_at: z.string(),
  failure_count: z.number().int(),
  /** Whether a secret is prepared. */
  is_staged: z.boolean(),
  /** Null outside an overlap. */
  overlap_expires_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});

export type EndpointRow = z.output<typeof EndpointRow>;

/** The columns of an `EndpointRow`, of the endpoint under the name `e`. */
export const endpointColumns = (now: Date): SQL => sql`
  e.id::text as id, e.name, e.url, to_json(e.event_types) as event_types, e.trade_filters, e.status, ${iso(sql`e.verified_at`)} as verified_at,
  ${iso(sql`e.verification_expires_at`)} as verification_expires_at, e.failure_count, e.staged_secret_sealed is not null as is_staged,
  case when e.previous_secret_sealed is not null and e.overlap_expires_at > ${at(now)} then ${iso(sql`e.overlap_expires_at`)} end
    as overlap_expires_at,
  ${iso(sql`e.created_at`)} as created_at, ${iso(sql`e.updated_at`)} as updated_at`;

export const at = (instant: Date): SQL => sql`${instant.toISOString()}::timestamptz`;

/** An account's endpoint, by its number. */
export interface EndpointRef {
  readonly accountId: number;
  readonly id: number;
}

/** Matches an account's endpoint that is not deleted, under the name `e`. */
export const isOwned = ({ accountId, id }: EndpointRef): SQL =>
  sql`e.id = ${id}::bigint and e.account_id = ${accountId}::bigint and e.deleted_at is null`;

/** Whether a delivery to the endpoint `e` is under way, and its worker not given up. */
export const isBusy = (now: Date): SQL => sql`exists (
  select from webhook_deliveries d where d.endpoint_id = e.id and d.status = 'processing' and d.lease_until > ${at(now)})`;

/** Holds an endpoint of an account until the transaction ends, as `holdAccount` does an account. */
export const holdEndpoint = (db: Database, ref: EndpointRef) =>
  db.execute(sql`select from webhook_endpoints e where ${isOwned(ref)} for no key update`);
