import { generateApiKey, hashCredential, keyPreview } from "../../auth/api-key-format.ts";
import type { Config } from "../../config.ts";
import type { StoredKey } from "../../queries/accounts/api-keys.ts";

/** Generates a key: `key` for the one response that shows it, the other fields for the table. */
export async function generateStoredKey({ keyPrefix, credentialKeys }: Config): Promise<StoredKey & { key: string }> {
  const key = generateApiKey(keyPrefix, (bytes) => crypto.getRandomValues(bytes));
  return { key, hash: await hashCredential(credentialKeys.current, key), prefix: keyPreview(key) };
}
