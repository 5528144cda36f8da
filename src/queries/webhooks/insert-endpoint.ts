import { sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { webhookEndpoints } from "../../db/schema.ts";
import { columnNames, timestamp } from "../../db/sql.ts";
import type { TradeFilters } from "../../webhooks/rules/trade-filters.ts";
import type { Receiver } from "../../webhooks/rules/url-policy.ts";
import { parseId } from "../../domain/ids.ts";
import { lockAccount } from "../accounts/account.ts";
import { hasWatchlist } from "../watchlists/read-watchlists.ts";
import { endpointColumns, EndpointRow } from "./endpoint-row.ts";

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

export type EndpointInsertResult =
  | { readonly kind: "inserted"; readonly row: EndpointRow }
  | { readonly kind: "full" | "url_taken" | "no_watchlist" };

const INSERTED = columnNames(
  webhookEndpoints.accountId,
  webhookEndpoints.name,
  webhookEndpoints.url,
  webhookEndpoints.urlKey,
  webhookEndpoints.eventTypes,
  webhookEndpoints.tradeFilters,
  webhookEndpoints.status,
  webhookEndpoints.verificationTokenSealed,
  webhookEndpoints.verificationExpiresAt,
  webhookEndpoints.secretSealed,
  webhookEndpoints.createdAt,
  webhookEndpoints.updatedAt,
);

const Result = z.tuple([
  z.object({ held: z.number().int(), is_taken: z.boolean(), has_watchlist: z.boolean() }).loose(),
]);

/**
 * Stores an endpoint pending verification, unless the account already has `most` endpoints or one with this
 * URL, or its filter names a watchlist that the account does not have. Concurrent requests cannot exceed these limits.
 */
export async function insertEndpoint(
  db: Database,
  endpoint: NewEndpoint,
  most: number,
  now: Date,
): Promise<EndpointInsertResult> {
  const { accountId, name, receiver, eventTypes, tradeFilters, secretSealed, token } = endpoint;
  const [, stored] = await db.batch([
    lockAccount(db, accountId),
    db.execute(sql`
      with present as (
        select count(*)::int as held,
          coalesce(bool_or(${webhookEndpoints.urlKey} = ${receiver.key}), false) as is_taken,
          ${hasFilteredWatchlist(accountId, tradeFilters)} as has_watchlist
        from ${webhookEndpoints}
        where ${webhookEndpoints.accountId} = ${accountId}::bigint and ${webhookEndpoints.deletedAt} is null
      ), added as (
        insert into ${webhookEndpoints} (${INSERTED})
        select ${accountId}::bigint, ${name}, ${receiver.url}, ${receiver.key}, ${textArray(eventTypes)},
          ${JSON.stringify(tradeFilters)}::jsonb, 'pending_verification', ${token.sealed},
          ${timestamp(token.expiresAt)}, ${secretSealed}, ${timestamp(now)}, ${timestamp(now)}
        from present where held < ${most} and not is_taken and has_watchlist
        returning *
      )
      select present.held, present.is_taken, present.has_watchlist, ${endpointColumns(now)} from present left join added e on true`),
  ]);
  const [result] = Result.parse(stored.rows);
  if (result.is_taken) return { kind: "url_taken" };
  if (result.held >= most) return { kind: "full" };
  return result.has_watchlist ? { kind: "inserted", row: EndpointRow.parse(result) } : { kind: "no_watchlist" };
}

/** SQL condition: the account has the watchlist of the filters, if they name one. */
export function hasFilteredWatchlist(accountId: number, { watchlist }: TradeFilters): SQL {
  if (watchlist === undefined) return sql`true`;
  const id = parseId("watchlist", watchlist);
  return id === null ? sql`false` : hasWatchlist({ accountId, id });
}

/** Texts as a value for an array column. */
export const textArray = (texts: readonly string[]) =>
  sql`array(select jsonb_array_elements_text(${JSON.stringify(texts)}::jsonb))`;
