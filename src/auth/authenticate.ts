import { ApiError } from "../api/errors.ts";
import type { Config } from "../config.ts";
import type { Principal } from "../context.ts";
import { findCredential } from "../queries/accounts/credentials.ts";
import type { Runtime } from "../runtime.ts";
import {
  FOUND_MARKER_TTL_SECONDS,
  foundMarkerKey,
  parseCredentialRecord,
  RECORD_TTL_SECONDS,
  recordKey,
  recordOf,
  UNKNOWN_TTL_SECONDS,
  type CredentialRecord,
} from "./credential-record.ts";
import { decideAccess, type AccessRefusal, type AccessRequirement } from "./decide-access.ts";
import { hashesOf, readCredential } from "./api-key-format.ts";

/** The presented credential: the Redis keys under which its record may be, and what is stored there. */
export interface CredentialEntry {
  /** One key for each secret, that of the current one first. */
  readonly keys: readonly string[];
  /** In the order of the keys; empty while Redis is unavailable. */
  readonly stored: readonly (string | null)[];
}

/**
 * The Redis keys of the presented credential's record: one for each secret, that of the current one first.
 *
 * @throws ApiError when the request presents no well-formed live key
 */
export async function credentialRecordKeys(request: Request, url: URL, config: Config): Promise<readonly string[]> {
  if (url.searchParams.has("token")) throw refusalError("api_key_in_query", config);
  const presented = readCredential(request.headers.get("authorization"), config.keyPrefix);
  if (presented.kind === "sandbox") throw refusalError("sandbox_api_key", config);
  if (presented.kind !== "live") throw refusalError("invalid_api_key", config);
  return (await hashesOf(config.credentialKeys, presented.key)).map(recordKey);
}

/**
 * The stored record of a credential; null when there is none. A record that grants access counts before one that
 * refuses: a credential is stored under one key, and under the others may have been looked for.
 */
export function findRecord(stored: readonly (string | null)[]): CredentialRecord | null {
  const records = stored.flatMap((text) => (text === null ? null : parseCredentialRecord(text)) ?? []);
  return records.find(({ kind }) => kind === "key") ?? records[0] ?? null;
}

/**
 * Authenticates and authorises a caller with the record from Redis, or from Postgres when Redis has none.
 *
 * @param waitUntil keeps the request alive for cache writes after the response
 * @throws ApiError with the refusal
 */
export async function authenticate(
  entry: CredentialEntry,
  requirement: AccessRequirement,
  runtime: Runtime,
  now: Date,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<Principal> {
  const record = findRecord(entry.stored) ?? (await loadRecord(entry.keys, runtime, waitUntil));
  const access = decideAccess(record, requirement, now);
  if (access.kind === "granted") return access.principal;
  throw refusalError(access.reason, runtime.config, requirement);
}

async function loadRecord(
  keys: readonly string[],
  { db, cache }: Runtime,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<CredentialRecord> {
  const hashes = keys.map((key) => key.slice(recordKey("").length));
  const row = await findCredential(db, hashes);
  const key = recordKey(row?.hash ?? hashes[0] ?? "");
  const record: CredentialRecord = row === null ? { kind: "unknown" } : recordOf(row);
  const ttl = row === null ? UNKNOWN_TTL_SECONDS : RECORD_TTL_SECONDS;
  // Written only if absent: a key revoked since the read above already has its refusal in Redis, which must
  // stay. A failed write only costs the next request one more database lookup.
  waitUntil(cache.setIfAbsent(key, JSON.stringify(record), ttl).catch(() => undefined));
  if (row !== null) waitUntil(cache.set(foundMarkerKey(key), "1", FOUND_MARKER_TTL_SECONDS).catch(() => undefined));
  return record;
}

/** The error of a refusal. That of a missing scope names the scope in its challenge (RFC 6750 section 3). */
function refusalError(
  reason: AccessRefusal | "api_key_in_query" | "sandbox_api_key",
  config: Config,
  requirement?: AccessRequirement,
): ApiError {
  switch (reason) {
    case "insufficient_scope":
      return new ApiError(reason, {
        message: `This key does not have the ${requirement?.scope} scope.`,
        headers: {
          "WWW-Authenticate": `Bearer error="insufficient_scope", scope="${requirement?.scope}", ${resourceMetadata(config)}`,
        },
      });
    case "subscription_inactive":
      return new ApiError(reason, {
        message: `This account has no active subscription. Reactivate it at ${config.webBaseUrl}/billing.`,
      });
    default:
      return new ApiError(reason);
  }
}

/**
 * The parameter of every challenge that names the metadata of a resource (RFC 9728 section 5.1).
 *
 * @param path of the resource; empty for the whole API
 */
export const resourceMetadata = ({ apiBaseUrl }: Pick<Config, "apiBaseUrl">, path = ""): string =>
  `resource_metadata="${apiBaseUrl}/.well-known/oauth-protected-resource${path}"`;
