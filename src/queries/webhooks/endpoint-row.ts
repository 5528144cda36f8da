import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { delivery, endpoint } from "../../db/fragments/webhooks.ts";
import { integer, isoText, timestamp } from "../../db/sql.ts";
import { ENDPOINT_STATUSES } from "../../webhooks/rules/delivery-state.ts";
import { TradeFilters } from "../../webhooks/rules/trade-filters.ts";

/** An endpoint as its owner may see it, without secrets and token. */
export const EndpointRow = z.object({
  id: integer,
  name: z.string(),
  url: z.string(),
  event_types: z.array(z.string()),
  trade_filters: TradeFilters,
  status: z.enum(ENDPOINT_STATUSES),
  verified_at: z.string().nullable(),
  verification_expires_at: z.string(),
  failure_count: z.number().int(),
  /** Whether a secret is prepared for rotation. */
  is_staged: z.boolean(),
  /** Null outside an overlap. */
  overlap_expires_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});

export type EndpointRow = z.output<typeof EndpointRow>;

/** The columns of an `EndpointRow`, from the endpoint with alias `e`. */
export const endpointColumns = (now: Date): SQL => sql`
  ${endpoint.id}::text as id, ${endpoint.name}, ${endpoint.url}, to_json(${endpoint.eventTypes}) as event_types,
  ${endpoint.tradeFilters}, ${endpoint.status}, ${isoText(endpoint.verifiedAt)} as verified_at,
  ${isoText(endpoint.verificationExpiresAt)} as verification_expires_at, ${endpoint.failureCount},
  ${endpoint.stagedSecretSealed} is not null as is_staged,
  case when ${endpoint.previousSecretSealed} is not null and ${endpoint.overlapExpiresAt} > ${timestamp(now)}
    then ${isoText(endpoint.overlapExpiresAt)} end as overlap_expires_at,
  ${isoText(endpoint.createdAt)} as created_at, ${isoText(endpoint.updatedAt)} as updated_at`;

/** An account's endpoint, by its row id. */
export interface EndpointRef {
  readonly accountId: number;
  readonly id: number;
}

/** SQL condition: `e` is the account's endpoint, deleted or not. */
export const isOfAccount = ({ accountId, id }: EndpointRef): SQL =>
  sql`${endpoint.id} = ${id}::bigint and ${endpoint.accountId} = ${accountId}::bigint`;

/** SQL condition: `e` is the account's endpoint and is not deleted. */
export const isOwned = (ref: EndpointRef): SQL => sql`${isOfAccount(ref)} and ${endpoint.deletedAt} is null`;

/** SQL condition: a delivery to endpoint `e` is in progress, and its lease has not expired. */
export const isBusy = (now: Date): SQL => sql`exists (
  select from ${delivery} where ${delivery.endpointId} = ${endpoint.id} and ${delivery.status} = 'processing'
    and ${delivery.leaseUntil} > ${timestamp(now)})`;

/** Locks an endpoint row until the transaction ends, as `lockAccount` does for an account. */
export const lockEndpoint = (db: Database, ref: EndpointRef) =>
  db.execute(sql`select from ${endpoint} where ${isOwned(ref)} for no key update`);
