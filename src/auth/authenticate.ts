import { ApiError } from "../api/errors.ts";
import type { Config } from "../config.ts";
import { recordOf, type LoadRecord } from "../domain/accounts/credential-record.ts";
import type { AccessRefusal, AccessRequirement } from "../domain/accounts/decide-access.ts";
import { findCredential } from "../queries/accounts/credentials.ts";
import type { Runtime } from "../runtime.ts";
import { hashesOf, readCredential } from "./api-key-format.ts";

/**
 * The hashes under which the presented credential may be stored: one for each secret, that of the current one first.
 *
 * @throws ApiError when the request presents no well-formed live key
 */
export async function presentedHashes(
  request: Request,
  url: URL,
  { config, credentials }: Pick<Runtime, "config" | "credentials">,
): Promise<readonly string[]> {
  if (url.search !== "" && url.searchParams.has("token")) throw refusalError("api_key_in_query", config);
  const presented = readCredential(request.headers.get("authorization"), config.keyPrefix);
  if (presented.kind === "sandbox") throw refusalError("sandbox_api_key", config);
  if (presented.kind !== "live") throw refusalError("invalid_api_key", config);
  const known = credentials.findHashes(presented.key);
  if (known !== null) return known;
  const hashes = await hashesOf(config.credentialKeys, presented.key);
  credentials.addHashes(presented.key, hashes);
  return hashes;
}

/** Reads records from Postgres, for a meter that does not have them. */
export const recordLoader =
  ({ db }: Pick<Runtime, "db">): LoadRecord =>
  async (hash) =>
    recordOf(await findCredential(db, [hash]));

/** The error of a refusal. That of a missing scope names the scope in its challenge (RFC 6750 section 3). */
export function refusalError(
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
