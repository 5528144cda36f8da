import { makeVerificationToken } from "../../domain/webhooks/make-secret.ts";
import { TOKEN_MS } from "../../domain/webhooks/verify-schedule.ts";
import { sealEndpointSecret } from "../../lib/endpoint-secrets.ts";
import { randomBytes } from "./owned.ts";

interface MadeToken {
  /** For its owner, once. */
  readonly token: string;
  readonly sealed: string;
  readonly expiresAt: Date;
}

/** A verification token, good for a day. */
export async function makeToken(owner: { accountId: number; credentialSecret: string }, now: Date): Promise<MadeToken> {
  const token = makeVerificationToken(randomBytes);
  const sealed = await sealEndpointSecret("verification token", token, owner, randomBytes);
  return { token, sealed, expiresAt: new Date(now.getTime() + TOKEN_MS) };
}
