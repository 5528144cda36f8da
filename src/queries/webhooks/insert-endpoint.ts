import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import type { TradeFilters } from "../../domain/webhooks/trade-filters.ts";
import type { Receiver } from "../../domain/webhooks/url-policy.ts";
import { holdAccount } from "../account.ts";
import { at, endpointColumns, EndpointRow } from "./endpoint-row.ts";

export interface NewToken {
  readonly sealed: string;
  readonly expiresAt: Date;
}

export interface NewEndpoint {
  readonly accountId: number;
  readonly name: string;
  readonly receiver: Receiver;
  readonly eventTypes: readonly string[];
  readonly tradeFilters: TradeFilters;
  readonly secretSealed: string;
  readonly token: NewToken;
}

export type Inserted = { readonly kind: "inserted"; readonly row: EndpointRow } | { readonly kind: "full" | "url_taken" };

const Result = z.tuple([z.object({ held: z.number().int(), is_taken: z.boolean() }).loose()]);

/** Stores an endpoint that waits for verification, unless the account has `most` of them or one with this URL. Of many at once none gets past that. */
export async function insertEndpoint(db: Database, endpoint: NewEndpoint, most: number, now: Date): Promise<Inserted> {
  const { accountId, name, receiver, eventTypes, tradeFilters, secretSealed, token } = endpoint;
  const [, stored] = await db.batch([
    holdAccount(db, accountId),
    db.execute(sql`
      with present as (
        select count(*)::int as held, coalesce(bool_or(url_key = ${receiver.key}), false) as is_taken
        from webhook_endpoints where account_id = ${accountId}::bigint and deleted_at is null
      ), added as (
        insert into webhook_endpoints (account_id, name, url, url_key, event_types, trade_filters, status, verification_token_sealed,
          verification_expires_at, secret_sealed, created_at, updated_at)
        select ${accountId}::bigint, ${name}, ${receiver.url}, ${receiver.key}, ${textArray(eventTypes)}, ${JSON.stringify(tradeFilters)}::jsonb,
          'pending_verification', ${token.sealed}, ${at(token.expiresAt)}, ${secretSealed}, ${at(now)}, ${at(now)}
        from present where held < ${most} and not is_taken
        returning *
      )
      select present.held, present.is_taken, ${endpointColumns(now)} from present left join added e on true`),
  ]);
  const [result] = Result.parse(stored.rows);
  if (result.is_taken) return { kind: "url_taken" };
  return result.held >= most ? { kind: "full" } : { kind: "inserted", row: EndpointRow.parse(result) };
}

/** Texts as an array column takes them. */
export const textArray = (texts: readonly string[]) => sql`array(select jsonb_array_elements_text(${JSON.stringify(texts)}::jsonb))`;
