import { z } from "zod";
import { ACCOUNT_STATES, CREDENTIAL_KINDS, PLANS, SCOPES } from "../domain/accounts/accounts.ts";
import { TOKEN_RESOURCES } from "../domain/accounts/oauth.ts";
import type { CredentialRow } from "../queries/accounts/credentials.ts";

/**
 * A credential as cached in Redis. `unknown` is cached as well, for a short time, so that guessed keys do not
 * reach the database.
 */
export const CredentialRecord = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("unknown") }),
  z.object({
    kind: z.literal("key"),
    credential_kind: z.enum(CREDENTIAL_KINDS),
    /** The id of the key, or of the grant to which the token belongs. */
    key_id: z.number(),
    account_id: z.number(),
    scopes: z.array(z.enum(SCOPES)),
    resource: z.enum(TOKEN_RESOURCES),
    expires_ms: z.number().nullable(),
    revoked: z.boolean(),
    plan: z.enum(PLANS),
    state: z.enum(ACCOUNT_STATES),
    pay_as_you_go: z.boolean(),
  }),
]);

export type CredentialRecord = z.output<typeof CredentialRecord>;

/** The record of a credential that was found. */
export const recordOf = ({ hash: _hash, ...row }: CredentialRow): CredentialRecord => ({ kind: "key", ...row });

/**
 * Revoking a key or changing its account replaces this entry in the same call
 * (`replace-credential-records.ts`). The time to live only bounds the effect of a lost write.
 */
export const RECORD_TTL_SECONDS = 300;
export const UNKNOWN_TTL_SECONDS = 30;

/**
 * Lifetime of the marker that a key was found in Postgres. The marker grants no access: it only distinguishes
 * a real key from a guess after its record has expired.
 */
export const FOUND_MARKER_TTL_SECONDS = 30 * 86_400;

/** @param key the record's Redis key, from `recordKey` */
export const foundMarkerKey = (key: string): string => `found:${key}`;

export const recordKey = (keyHash: string): string => `cred:${keyHash}`;

/** @returns null for a text that is not a record */
export function parseCredentialRecord(text: string): CredentialRecord | null {
  try {
    const parsed = CredentialRecord.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
