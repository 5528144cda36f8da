import type { Config } from "../../config.ts";
import { SCOPES } from "../../domain/accounts/accounts.ts";
import { GRANT_TYPES, type TokenResource } from "../../domain/accounts/oauth.ts";
import { resourceUrl } from "../rules/resources.ts";

type MetadataConfig = Pick<Config, "apiBaseUrl" | "webBaseUrl" | "serviceName">;

/** Metadata change only with a release. */
const CACHE_CONTROL = "public, max-age=3600";

/** The metadata of the authorization server (RFC 8414). */
export const presentServerMetadata = ({ apiBaseUrl, webBaseUrl }: MetadataConfig): Response =>
  present({
    issuer: apiBaseUrl,
    authorization_endpoint: `${webBaseUrl}/oauth/authorize`,
    token_endpoint: `${apiBaseUrl}/oauth/token`,
    registration_endpoint: `${apiBaseUrl}/oauth/register`,
    device_authorization_endpoint: `${apiBaseUrl}/oauth/device_authorization`,
    revocation_endpoint: `${apiBaseUrl}/oauth/revoke`,
    scopes_supported: SCOPES,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: GRANT_TYPES,
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    protected_resources: [resourceUrl({ apiBaseUrl }, "api"), resourceUrl({ apiBaseUrl }, "mcp")],
    service_documentation: `${webBaseUrl}/docs`,
  });

/** The metadata of a protected resource (RFC 9728). Every tool of the MCP endpoint takes the scope `read`. */
export const presentResourceMetadata = (config: MetadataConfig, resource: TokenResource): Response =>
  present({
    resource: resourceUrl(config, resource),
    authorization_servers: [config.apiBaseUrl],
    scopes_supported: resource === "api" ? SCOPES : ["read"],
    bearer_methods_supported: ["header"],
    resource_name: config.serviceName,
    resource_documentation: `${config.webBaseUrl}/docs`,
  });

const present = (document: object): Response =>
  Response.json(document, { headers: { "Cache-Control": CACHE_CONTROL } });
