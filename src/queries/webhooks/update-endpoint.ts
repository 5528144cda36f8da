import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import type { TradeFilters } from "../../domain/webhooks/trade-filters.ts";
import type { Receiver } from "../../domain/webhooks/url-policy.ts";
import { holdAccount } from "../account.ts";
import { at, endpointColumns, EndpointRow, holdEndpoint, isBusy, isOwned, type EndpointRef } from "./endpoint-row.ts";
import { textArray, type NewToken } from "./insert-endpoint.ts";
import { cancelAttempts, emptyQueue } from "./stop-endpoint.ts";

/** What is to be different; what is left out stays. */
export interface EndpointChange {
  readonly name?: string | undefined;
  /** A receiver, and the token that it is verified with should it be another than before. */
  readonly moveTo?: { readonly receiver: Receiver; readonly token: NewToken } | undefined;
  readonly eventTypes?: readonly string[] | undefined;
  readonly tradeFilters?: TradeFilters | undefined;
  readonly enabled?: boolean | undefined;
}

export type Updated =
  /** `moved`: its URL is another, and its token the new one. */
  { readonly kind: "updated"; readonly row: EndpointRow; readonly moved: boolean } | { readonly kind: "missing" | "url_taken" | "busy" };

const Result = z.array(z.object({ moves: z.boolean(), is_busy: z.boolean(), is_taken: z.boolean() }).loose());

/**
 * Changes an endpoint. Another URL has to be verified first; what waits is kept for it. `enabled` false disables, and makes dead letters of what
 * waits; true lets a disabled one go on where it was, verified or not, with no failures counted.
 */
export async function updateEndpoint(db: Database, ref: EndpointRef, change: EndpointChange, now: Date): Promise<Updated> {
  const { name, moveTo, eventTypes, tradeFilters, enabled } = change;
  const disables = enabled === false;
  const key = moveTo?.receiver.key ?? null;
  const [, , stored] = await db.batch([
    // In this order, as everybody holds them.
    holdAccount(db, ref.accountId),
    holdEndpoint(db, ref),
    db.execute(sql`
      with found as (
        select e.*, ${key}::text is not null and e.url_key <> ${key}::text as moves, ${isBusy(now)} as is_busy,
          exists (select from webhook_endpoints o where o.account_id = e.account_id and o.id <> e.id and o.deleted_at is null
            and o.url_key = ${key}::text) as is_taken
        from webhook_endpoints e where ${isOwned(ref)}
      ), planned as (
        select f.*, not (moves and (is_busy or is_taken)) as is_allowed,
          case when ${disables} then 'disabled' when moves then 'pending_verification'
            when ${enabled === true} and status = 'disabled' then case when verified_at is null then 'pending_verification' else 'active' end
            else status end as next_status
        from found f
      ), changed as (
        update webhook_endpoints e set
          name = coalesce(${name ?? null}, e.name),
          event_types = ${eventTypes === undefined ? sql`e.event_types` : textArray(eventTypes)},
          trade_filters = ${tradeFilters === undefined ? sql`e.trade_filters` : sql`${JSON.stringify(tradeFilters)}::jsonb`},
          url = case when p.moves then ${moveTo?.receiver.url ?? null} else e.url end,
          url_key = case when p.moves then ${key}::text else e.url_key end,
          verification_token_sealed = case when p.moves then ${moveTo?.token.sealed ?? null} else e.verification_token_sealed end,
          verification_expires_at = case when p.moves then ${moveTo === undefined ? null : moveTo.token.expiresAt.toISOString()}::timestamptz
            else e.verification_expires_at end,
          verified_at = case when p.moves then null else e.verified_at end,
          status = p.next_status,
          disabled_reason = case when p.next_status = 'disabled' then coalesce(e.disabled_reason, 'owner') end,
          failure_count = case when p.moves or (p.status = 'disabled' and p.next_status <> 'disabled') then 0 else e.failure_count end,
          open_until = case when p.moves or p.next_status = 'disabled' or p.status = 'disabled' then null else e.open_until end,
          updated_at = ${at(now)}
        from planned p where e.id = p.id and p.is_allowed
        returning e.*
      ), ${emptyQueue(sql`c.status = 'disabled' or ${enabled === true} and (select status from planned) = 'disabled'`)},
      ${cancelAttempts(sql`c.status <> 'pending_verification' or (select moves from planned)`, now)}
      select p.moves, p.is_busy, p.is_taken, ${endpointColumns(now)} from planned p left join changed e on true`),
  ]);
  const [result] = Result.parse(stored.rows);
  if (result === undefined) return { kind: "missing" };
  if (result.moves && result.is_taken) return { kind: "url_taken" };
  if (result.moves && result.is_busy) return { kind: "busy" };
  return { kind: "updated", row: EndpointRow.parse(result), moved: result.moves };
}
