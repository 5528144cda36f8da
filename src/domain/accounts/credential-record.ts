import { z } from "zod";
import { ACCOUNT_STATES, CREDENTIAL_KINDS, PLANS, SCOPES } from "./accounts.ts";
import { TOKEN_RESOURCES } from "./oauth.ts";

/** What never changes about a stored credential. */
export interface CredentialIdentity {
  /** The hash under which it is stored. */
  readonly hash: string;
  readonly accountId: number;
}

/** The facts of a stored key or access token, and of its account. */
export const CredentialFacts = z.object({
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
});

/** A credential with the facts about its account that decide what it opens. `unknown` opens nothing. */
export const CredentialRecord = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("unknown") }),
  CredentialFacts.extend({ kind: z.literal("key") }),
]);

export type CredentialRecord = z.output<typeof CredentialRecord>;

/** Reads the record of a credential from Postgres. */
export type LoadRecord = (hash: string) => Promise<CredentialRecord>;

/** The record of a row of Postgres, or of none. */
export function recordOf(row: (z.output<typeof CredentialFacts> & { hash: string }) | null): CredentialRecord {
  if (row === null) return { kind: "unknown" };
  const { hash: _hash, ...facts } = row;
  return { kind: "key", ...facts };
}
