import type { Config } from "../../config.ts";
import type { TokenResource } from "../../domain/accounts/oauth.ts";

export const MCP_RESOURCE_PATH = "/api/v1/mcp";

type ApiConfig = Pick<Config, "apiBaseUrl">;

/** The identifier of a resource, as its metadata state it (RFC 9728). */
export const resourceUrl = ({ apiBaseUrl }: ApiConfig, resource: TokenResource): string =>
  resource === "api" ? apiBaseUrl : `${apiBaseUrl}${MCP_RESOURCE_PATH}`;

/**
 * The resource of an indicator (RFC 8707); null for any other text. Apart from the slash of an empty path, which
 * URL parsers add, the identifier must match exactly.
 */
export function parseResource(config: ApiConfig, indicator: string): TokenResource | null {
  if (indicator === resourceUrl(config, "mcp")) return "mcp";
  return indicator === resourceUrl(config, "api") || indicator === `${resourceUrl(config, "api")}/` ? "api" : null;
}

/** Whether a grant for one resource covers a token for another. */
export const coversResource = (granted: TokenResource, requested: TokenResource): boolean =>
  granted === "api" || granted === requested;
