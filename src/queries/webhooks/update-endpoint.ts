import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { endpoint } from "../../db/fragments/webhooks.ts";
import { webhookEndpoints } from "../../db/schema.ts";
import { alias, columnName, timestamp } from "../../db/sql.ts";
import type { TradeFilters } from "../../webhooks/rules/trade-filters.ts";
import type { Receiver } from "../../webhooks/rules/url-policy.ts";
import { lockAccount } from "../accounts/account.ts";
import { endpointColumns, EndpointRow, lockEndpoint, isBusy, isOwned, type EndpointRef } from "./endpoint-row.ts";
import { hasFilteredWatchlist, textArray, type NewToken } from "./insert-endpoint.ts";
import { cancelVerificationAttempts, deadLetterPending } from "./stop-endpoint.ts";

/** The fields to change; omitted fields stay unchanged. */
export interface EndpointChange {
  readonly name?: string | undefined;
  /** A receiver, and the token for its verification if the URL differs from the current one. */
  readonly moveTo?: { readonly receiver: Receiver; readonly token: NewToken } | undefined;
  readonly eventTypes?: readonly string[] | undefined;
  readonly tradeFilters?: TradeFilters | undefined;
  readonly enabled?: boolean | undefined;
}

export type EndpointUpdateResult =
  /** `moved`: the URL has changed, and the new token is stored. */
  | { readonly kind: "updated"; readonly row: EndpointRow; readonly moved: boolean }
  | { readonly kind: "missing" | "url_taken" | "busy" | "no_watchlist" };

const other = alias(webhookEndpoints, "o");

const Result = z.array(
  z.object({ moves: z.boolean(), is_busy: z.boolean(), is_taken: z.boolean(), has_watchlist: z.boolean() }).loose(),
);

/**
 * Changes an endpoint. A new URL must be verified first; waiting deliveries are kept for it. `enabled` false
 * disables the endpoint and turns waiting deliveries into dead letters; true restores a disabled endpoint to
 * its previous state, verified or not, with a failure count of 0.
 */
export async function updateEndpoint(
  db: Database,
  ref: EndpointRef,
  change: EndpointChange,
  now: Date,
): Promise<EndpointUpdateResult> {
  const { moveTo, enabled } = change;
  const disables = enabled === false;
  const key = moveTo?.receiver.key ?? null;
  const isStopped = sql`c.status = 'disabled' or ${enabled === true} and (select status from planned) = 'disabled'`;
  const [, , stored] = await db.batch([
    // All transactions lock in this order.
    lockAccount(db, ref.accountId),
    lockEndpoint(db, ref),
    db.execute(sql`
      with found as (
        select e.*, ${key}::text is not null and ${endpoint.urlKey} <> ${key}::text as moves,
          ${isBusy(now)} as is_busy,
          ${hasFilteredWatchlist(ref.accountId, change.tradeFilters ?? {})} as has_watchlist,
          exists (select from ${other} where ${other.accountId} = ${endpoint.accountId}
            and ${other.id} <> ${endpoint.id} and ${other.deletedAt} is null
            and ${other.urlKey} = ${key}::text) as is_taken
        from ${endpoint} where ${isOwned(ref)}
      ), planned as (
        select f.*, has_watchlist and not (moves and (is_busy or is_taken)) as is_allowed,
          case when ${disables} then 'disabled' when moves then 'pending_verification'
            when ${enabled === true} and status = 'disabled' then case when verified_at is null
              then 'pending_verification' else 'active' end
            else status end as next_status
        from found f
      ), changed as (
        update ${endpoint} set ${assignChange(change)},
          ${columnName(endpoint.verifiedAt)} = case when p.moves then null else ${endpoint.verifiedAt} end,
          ${columnName(endpoint.status)} = p.next_status,
          ${columnName(endpoint.disabledReason)} = case when p.next_status = 'disabled'
            then coalesce(${endpoint.disabledReason}, 'owner') end,
          ${columnName(endpoint.failureCount)} = case
            when p.moves or (p.status = 'disabled' and p.next_status <> 'disabled') then 0
            else ${endpoint.failureCount} end,
          ${columnName(endpoint.openUntil)} = case
            when p.moves or p.next_status = 'disabled' or p.status = 'disabled' then null
            else ${endpoint.openUntil} end,
          ${columnName(endpoint.updatedAt)} = ${timestamp(now)}
        from planned p where ${endpoint.id} = p.id and p.is_allowed
        returning e.*
      ), ${deadLetterPending(isStopped)},
      ${cancelVerificationAttempts(sql`c.status <> 'pending_verification' or (select moves from planned)`, now)}
      select p.moves, p.is_busy, p.is_taken, p.has_watchlist, ${endpointColumns(now)} from planned p left join changed e on true`),
  ]);
  const [result] = Result.parse(stored.rows);
  if (result === undefined) return { kind: "missing" };
  if (!result.has_watchlist) return { kind: "no_watchlist" };
  if (result.moves && result.is_taken) return { kind: "url_taken" };
  if (result.moves && result.is_busy) return { kind: "busy" };
  return { kind: "updated", row: EndpointRow.parse(result), moved: result.moves };
}

/** The assignments of a change to endpoint `e`. `p` is its plan: a new URL applies only if it moves. */
function assignChange({ name, moveTo, eventTypes, tradeFilters }: EndpointChange): SQL {
  const types = eventTypes === undefined ? sql`${endpoint.eventTypes}` : textArray(eventTypes);
  const filters =
    tradeFilters === undefined ? sql`${endpoint.tradeFilters}` : sql`${JSON.stringify(tradeFilters)}::jsonb`;
  const expiresAt = moveTo === undefined ? null : moveTo.token.expiresAt.toISOString();
  return sql`
    ${columnName(endpoint.name)} = coalesce(${name ?? null}, ${endpoint.name}),
    ${columnName(endpoint.eventTypes)} = ${types},
    ${columnName(endpoint.tradeFilters)} = ${filters},
    ${columnName(endpoint.url)} = case when p.moves then ${moveTo?.receiver.url ?? null} else ${endpoint.url} end,
    ${columnName(endpoint.urlKey)} = case when p.moves then ${moveTo?.receiver.key ?? null}::text
      else ${endpoint.urlKey} end,
    ${columnName(endpoint.verificationTokenSealed)} = case when p.moves then ${moveTo?.token.sealed ?? null}
      else ${endpoint.verificationTokenSealed} end,
    ${columnName(endpoint.verificationExpiresAt)} = case when p.moves then ${expiresAt}::timestamptz
      else ${endpoint.verificationExpiresAt} end`;
}
