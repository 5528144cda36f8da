import { eq } from "drizzle-orm";
import type { Database } from "../../db/client.ts";
import { passkeys } from "../../db/sign-in-tables.ts";

/** Whether this passkey is registered, by any user. */
export async function isPasskeyRegistered(db: Database, credentialId: string): Promise<boolean> {
  const rows = await db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.credentialID, credentialId));
  return rows.length > 0;
}
