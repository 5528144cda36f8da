import type { Database } from "../../src/db/client.ts";
import { recordOf } from "../../src/domain/accounts/credential-record.ts";
import { listCredentials } from "../../src/queries/accounts/credentials.ts";
import type { CredentialStorage } from "./credential-storage.ts";

/** Maximum number of records per flush. */
const MAX_RECORDS = 200;

/**
 * Reads records from Postgres again that are older than five minutes, for changes that bypass the meter, and those of
 * refused credentials: a revocation that Postgres has is remembered from then on.
 *
 * @throws errors of the database or its connection
 */
export async function refreshCredentials(credentials: CredentialStorage, db: Database, nowMs: number): Promise<void> {
  credentials.dropEnded(nowMs);
  const hashes = credentials.listOld(nowMs, MAX_RECORDS);
  if (hashes.length === 0) return;
  const { revision } = credentials;
  const rows = await listCredentials(db, hashes);
  // A change since then may be newer than what was read. The next flush reads again.
  if (credentials.revision !== revision) return;
  for (const hash of hashes) {
    credentials.refresh(hash, recordOf(rows.find((row) => row.hash === hash) ?? null), nowMs);
  }
}
