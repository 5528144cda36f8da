import { resourceMetadata } from "../../auth/authenticate.ts";
import type { Config } from "../../config.ts";
import type { WritableHeaders } from "./header-fields.ts";

/**
 * Gives a 401 or 403 the challenge that leads a client from nothing to a token: it names the metadata of the resource
 * (RFC 9728 section 5.1). A challenge that the response has already, such as that of a missing scope, stays.
 *
 * @param resourcePath of the resource; empty for the whole API
 */
export function addChallenge(
  { headers, status }: { readonly headers: WritableHeaders; readonly status: number },
  config: Pick<Config, "apiBaseUrl">,
  resourcePath: string,
): void {
  if ((status === 401 || status === 403) && !headers.has("WWW-Authenticate"))
    headers.set("WWW-Authenticate", `Bearer ${resourceMetadata(config, resourcePath)}`);
}
