import { generateVerificationToken } from "../../../webhooks/rules/generate-secret.ts";
import { TOKEN_MS } from "../../../webhooks/rules/verify-schedule.ts";
import type { KeyRing } from "../../../lib/crypto/key-ring.ts";
import { sealEndpointSecret } from "../../../lib/crypto/endpoint-secrets.ts";
import { randomBytes } from "./endpoint-access.ts";

interface VerificationToken {
  /** Plain text, shown to the owner once. */
  readonly token: string;
  readonly sealed: string;
  readonly expiresAt: Date;
}

/** Creates a verification token that is valid for 24 hours. */
export async function createVerificationToken(
  owner: { accountId: number; credentialKeys: KeyRing },
  now: Date,
): Promise<VerificationToken> {
  const token = generateVerificationToken(randomBytes);
  const sealed = await sealEndpointSecret("verification token", token, owner, randomBytes);
  return { token, sealed, expiresAt: new Date(now.getTime() + TOKEN_MS) };
}
