import { z } from "zod";
import { ACCOUNT_STATES, PLANS, SCOPES } from "../domain/accounts.ts";

/**
 * What is known of a credential, in the form that is kept in Redis. `unknown` is kept as well, briefly, so that guessing keys does not
 * reach the database.
 */
export const CredentialRecord = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("unknown") }),
  z.object({
    kind: z.literal("key"),
    key_id: z.number(),
    account_id: z.number(),
    scopes: z.array(z.enum(SCOPES)),
    expires_ms: z.number().nullable(),
    revoked: z.boolean(),
    plan: z.enum(PLANS),
    state: z.enum(ACCOUNT_STATES),
    pay_as_you_go: z.boolean(),
  }),
]);

export type CredentialRecord = z.output<typeof CredentialRecord>;

/**
 * Whoever revokes a key or changes its account replaces this entry in the same call (`replace-records.ts`); the time only bounds what a
 * lost write can do.
 */
export const RECORD_TTL_SECONDS = 300;
export const UNKNOWN_TTL_SECONDS = 30;

/**
 * How long a key that was found in Postgres is known to be worth a look-up. The entry admits nothing: it only tells such a key from a guess
 * once its record has ended.
 */
export const FOUND_TTL_SECONDS = 30 * 86_400;

/** @param key a record's */
export const foundKey = (key: string): string => `found:${key}`;

export const recordKey = (keyHash: string): string => `cred:${keyHash}`;

/** @returns null for a text that is no record */
export function parseRecord(text: string): CredentialRecord | null {
  try {
    const parsed = CredentialRecord.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
