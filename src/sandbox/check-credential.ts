import { ApiError } from "../api/errors.ts";
import { isSandboxKey, readCredential } from "../auth/api-key-format.ts";
import type { Config } from "../config.ts";

/**
 * Whether a request presents a sandbox key. The checksum is all that is checked: nothing is looked up.
 *
 * @returns false without a credential, which the sandbox does not need
 * @throws ApiError invalid_api_key for any other credential, a live key included; api_key_in_query
 */
export async function presentsSandboxKey(request: Request, url: URL, config: Config): Promise<boolean> {
  if (url.searchParams.has("token")) throw new ApiError("api_key_in_query");
  const presented = readCredential(request.headers.get("authorization"), config.keyPrefix);
  if (presented.kind === "absent") return false;
  if (presented.kind === "sandbox" && (await isSandboxKey(config.keyPrefix, presented.key))) return true;
  throw new ApiError("invalid_api_key", {
    message:
      presented.kind === "live"
        ? "This is a live key. The sandbox accepts sandbox keys only, or no key."
        : "This is not a well-formed sandbox key. POST /api/v1/agents/register returns one. The sandbox needs no key.",
  });
}
