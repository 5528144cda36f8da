import { ApiError } from "../api/errors.ts";
import type { Config } from "../config.ts";
import type { Principal } from "../context.ts";
import { findCredential } from "../queries/credentials.ts";
import type { Runtime } from "../runtime.ts";
import {
  FOUND_TTL_SECONDS,
  foundKey,
  parseRecord,
  RECORD_TTL_SECONDS,
  recordKey,
  UNKNOWN_TTL_SECONDS,
  type CredentialRecord,
} from "./credential-record.ts";
import { decideAccess, type Refusal, type Requirement } from "./decide-access.ts";
import { hashCredential, readCredential } from "./keys.ts";

/** The Redis entry of the presented credential. @throws ApiError when the request presents none that could be valid. */
export async function credentialEntry(request: Request, url: URL, config: Config): Promise<string> {
  if (url.searchParams.has("token")) throw refusal("api_key_in_query", config);
  const presented = readCredential(request.headers.get("authorization"), config.keyPrefix);
  if (presented.kind === "sandbox") throw refusal("sandbox_api_key", config);
  if (presented.kind !== "live") throw refusal("invalid_api_key", config);
  return recordKey(await hashCredential(config.credentialSecret, presented.key));
}

/**
 * Who calls, from the entry as Redis had it (null: not there) or else from Postgres.
 *
 * @param later runs work after the answer has been sent
 * @throws ApiError with the refusal
 */
export async function authenticate(
  entry: { key: string; stored: string | null },
  requirement: Requirement,
  runtime: Runtime,
  now: Date,
  later: (work: Promise<unknown>) => void,
): Promise<Principal> {
  const record = (entry.stored === null ? null : parseRecord(entry.stored)) ?? (await loadRecord(entry.key, runtime, later));
  const access = decideAccess(record, requirement, now);
  if (access.kind === "granted") return access.principal;
  throw refusal(access.reason, runtime.config, requirement);
}

async function loadRecord(key: string, { db, cache }: Runtime, later: (work: Promise<unknown>) => void): Promise<CredentialRecord> {
  const row = await findCredential(db, key.slice(recordKey("").length));
  const record: CredentialRecord = row === null ? { kind: "unknown" } : { kind: "key", ...row };
  const ttl = row === null ? UNKNOWN_TTL_SECONDS : RECORD_TTL_SECONDS;
  // Filled and not set: a key revoked since it was read here has its refusal there by now. A store that is away costs the next request
  // one more look-up, nothing else.
  later(cache.fill(key, JSON.stringify(record), ttl).catch(() => undefined));
  if (row !== null) later(cache.set(foundKey(key), "1", FOUND_TTL_SECONDS).catch(() => undefined));
  return record;
}

/** A refusal with the challenge its status asks for (RFC 6750 section 3, RFC 9728). */
function refusal(reason: Refusal | "api_key_in_query" | "sandbox_api_key", config: Config, requirement?: Requirement): ApiError {
  const metadata = `resource_metadata="${config.apiBaseUrl}/.well-known/oauth-protected-resource"`;
  switch (reason) {
    case "insufficient_scope":
      return new ApiError(reason, {
        message: `This key does not have the ${requirement?.scope} scope.`,
        headers: { "WWW-Authenticate": `Bearer error="insufficient_scope", scope="${requirement?.scope}", ${metadata}` },
      });
    case "subscription_inactive":
      return new ApiError(reason, { message: `This account has no active subscription. Reactivate it at ${config.webBaseUrl}/billing.` });
    case "forbidden":
    case "account_locked":
    case "max_plan_required":
      return new ApiError(reason);
    default:
      return new ApiError(reason, { headers: { "WWW-Authenticate": `Bearer ${metadata}` } });
  }
}
