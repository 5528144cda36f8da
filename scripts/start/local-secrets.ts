import { generateKeyPairSync, randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { generateApiKey } from "../../src/auth/api-key-format.ts";

const LocalSecrets = z.object({
  credentialSecret: z.string(),
  cursorSecret: z.string(),
  sessionSecret: z.string(),
  archiveSigningKey: z.string(),
  redisToken: z.string(),
  apiKey: z.string(),
});

export type LocalSecrets = z.output<typeof LocalSecrets>;

/**
 * The secrets of this data directory. The first start creates and stores them, so that a key stays valid;
 * secrets that an earlier version did not have are added.
 */
export function loadSecrets(dataDir: string, keyPrefix: string): LocalSecrets {
  const file = join(dataDir, "secrets.json");
  const stored = existsSync(file) ? z.looseObject({}).parse(JSON.parse(readFileSync(file, "utf8"))) : {};
  const secrets = LocalSecrets.parse({ ...createSecrets(keyPrefix), ...stored });
  writeFileSync(file, JSON.stringify(secrets, null, 1), { mode: 0o600 });
  return secrets;
}

function createSecrets(keyPrefix: string): LocalSecrets {
  return {
    credentialSecret: randomBytes(32).toString("hex"),
    cursorSecret: randomBytes(32).toString("hex"),
    sessionSecret: randomBytes(32).toString("hex"),
    archiveSigningKey: generateSigningKey(),
    redisToken: randomBytes(16).toString("hex"),
    apiKey: generateApiKey(keyPrefix, (bytes) => crypto.getRandomValues(bytes)),
  };
}

/** An Ed25519 key in the form of the setting ARCHIVE_SIGNING_KEY. */
export const generateSigningKey = (): string =>
  generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "der" }).toString("base64url");
