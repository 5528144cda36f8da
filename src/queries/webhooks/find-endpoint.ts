import { sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "../../db/client.ts";
import { selectRows } from "../rows.ts";
import { at, endpointColumns, EndpointRow, isOwned, type EndpointRef } from "./endpoint-row.ts";

/** An account's endpoints, oldest first. */
export const listEndpoints = (db: Database, accountId: number, now: Date): Promise<EndpointRow[]> =>
  selectRows(
    db,
    sql`select ${endpointColumns(now)} from webhook_endpoints e where e.account_id = ${accountId}::bigint and e.deleted_at is null order by e.id`,
    EndpointRow,
  );

export async function findEndpoint(db: Database, ref: EndpointRef, now: Date): Promise<EndpointRow | null> {
  const [row] = await selectRows(db, sql`select ${endpointColumns(now)} from webhook_endpoints e where ${isOwned(ref)}`, EndpointRow);
  return row ?? null;
}

const TokenRow = z.object({
  url: z.string(),
  status: z.enum(["pending_verification", "active", "disabled"]),
  token_sealed: z.string(),
  is_expired: z.boolean(),
});

/** What a verification token is compared with. */
export type TokenRow = z.output<typeof TokenRow>;

export async function findToken(db: Database, ref: EndpointRef, now: Date): Promise<TokenRow | null> {
  const [row] = await selectRows(
    db,
    sql`
      select e.url, e.status, e.verification_token_sealed as token_sealed, e.verification_expires_at <= ${at(now)} as is_expired
      from webhook_endpoints e where ${isOwned(ref)}`,
    TokenRow,
  );
  return row ?? null;
}

const SigningRow = z.object({
  url: z.string(),
  status: z.enum(["pending_verification", "active", "disabled"]),
  secrets: z.array(z.string()),
});

/** Where to post to now, and what signs, sealed, the secret in force first. */
export async function findSigning(db: Database, ref: EndpointRef, now: Date): Promise<z.output<typeof SigningRow> | null> {
  const [row] = await selectRows(
    db,
    sql`
      select e.url, e.status, to_json(array_remove(array[e.secret_sealed,
        case when e.overlap_expires_at > ${at(now)} then e.previous_secret_sealed end], null)) as secrets
      from webhook_endpoints e where ${isOwned(ref)}`,
    SigningRow,
  );
  return row ?? null;
}
