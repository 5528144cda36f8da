import { generateApiKey, hashCredential, keyPreview } from "../../auth/keys.ts";
import type { Config } from "../../config.ts";
import type { StoredKey } from "../../queries/api-keys.ts";

/** A new key: `key` for the one answer that shows it, the rest for the table. */
export async function makeKey({ keyPrefix, credentialSecret }: Config): Promise<StoredKey & { key: string }> {
  const key = generateApiKey(keyPrefix, (bytes) => crypto.getRandomValues(bytes));
  return { key, hash: await hashCredential(credentialSecret, key), prefix: keyPreview(key) };
}
