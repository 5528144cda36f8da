import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { endpoint, signingSecretsJson } from "../../db/fragments/webhooks.ts";
import { selectRow, selectRows, timestamp } from "../../db/sql.ts";
import { ENDPOINT_STATUSES } from "../../webhooks/rules/delivery-state.ts";
import { endpointColumns, EndpointRow, isOwned, type EndpointRef } from "./endpoint-row.ts";

/** An account's endpoints, oldest first. */
export const listEndpoints = (db: Database, accountId: number, now: Date): Promise<EndpointRow[]> =>
  selectRows(
    db,
    sql`select ${endpointColumns(now)} from ${endpoint} where ${endpoint.accountId} = ${accountId}::bigint
      and ${endpoint.deletedAt} is null order by ${endpoint.id}`,
    EndpointRow,
  );

export const findEndpoint = (db: Database, ref: EndpointRef, now: Date): Promise<EndpointRow | null> =>
  selectRow(db, sql`select ${endpointColumns(now)} from ${endpoint} where ${isOwned(ref)}`, EndpointRow);

const TokenRow = z.object({
  url: z.string(),
  status: z.enum(ENDPOINT_STATUSES),
  token_sealed: z.string(),
  is_expired: z.boolean(),
});

/** The stored data that a verification token is checked against. */
export type TokenRow = z.output<typeof TokenRow>;

export const findToken = (db: Database, ref: EndpointRef, now: Date): Promise<TokenRow | null> =>
  selectRow(
    db,
    sql`
      select ${endpoint.url}, ${endpoint.status}, ${endpoint.verificationTokenSealed} as token_sealed,
        ${endpoint.verificationExpiresAt} <= ${timestamp(now)} as is_expired
      from ${endpoint} where ${isOwned(ref)}`,
    TokenRow,
  );

const SigningRow = z.object({
  url: z.string(),
  status: z.enum(ENDPOINT_STATUSES),
  secrets: z.array(z.string()),
});

/** The current URL and signing secrets (sealed, the active one first) of an endpoint. */
export const findSigningSecrets = (
  db: Database,
  ref: EndpointRef,
  now: Date,
): Promise<z.output<typeof SigningRow> | null> =>
  selectRow(
    db,
    sql`
      select ${endpoint.url}, ${endpoint.status}, ${signingSecretsJson(timestamp(now))} as secrets
      from ${endpoint} where ${isOwned(ref)}`,
    SigningRow,
  );
