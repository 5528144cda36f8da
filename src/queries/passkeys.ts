import { sql } from "drizzle-orm";
import type { Database } from "../db/client.ts";

/** Whether this passkey is registered, by any user. */
export async function isPasskeyRegistered(db: Database, credentialId: string): Promise<boolean> {
  const { rows } = await db.execute(sql`select from passkeys where credential_id = ${credentialId}`);
  return rows.length > 0;
}
