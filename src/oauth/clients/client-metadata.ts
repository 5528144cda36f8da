import { z } from "zod";
import { SCOPES } from "../../domain/accounts/accounts.ts";
import { GRANT_TYPES, type OAuthClient } from "../../domain/accounts/oauth.ts";
import { OAuthError } from "../oauth-error.ts";
import { refuseRedirectUri } from "../rules/redirect-uris.ts";
import { parseScopes } from "../rules/scopes.ts";

const MAX_REDIRECT_URIS = 10;

/** Metadata that a page may show or link to: https only, so that no script URL is ever stored. */
const link = z.url({ protocol: /^https$/ }).max(2_048);

/**
 * Client metadata of RFC 7591, also of a metadata document. Fields that are not known are ignored, as the RFC
 * demands; those that other servers would show are checked, but not stored.
 */
const ClientMetadata = z.looseObject({
  redirect_uris: z.array(z.string()).max(MAX_REDIRECT_URIS).default([]),
  client_name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    // Also no marks that reorder or hide text, so that a name is what it looks like.
    .regex(/^\P{C}*$/u, "control characters are not allowed")
    .optional(),
  client_uri: link.optional(),
  logo_uri: link.optional(),
  tos_uri: link.optional(),
  policy_uri: link.optional(),
  grant_types: z.array(z.enum(GRANT_TYPES)).min(1).max(10).default(["authorization_code", "refresh_token"]),
  response_types: z.array(z.literal("code")).max(1).default(["code"]),
  token_endpoint_auth_method: z.literal("none").default("none"),
  scope: z.string().max(200).optional(),
  client_secret: z.undefined().optional(),
});

/** @throws OAuthError invalid_redirect_uri, invalid_client_metadata */
export function parseClientMetadata(value: unknown): Omit<OAuthClient, "id"> {
  const parsed = ClientMetadata.safeParse(value);
  if (!parsed.success) {
    const field = String(parsed.error.issues[0]?.path[0] ?? "body").replaceAll(/[^a-z_]/g, "");
    if (field === "redirect_uris") throw new OAuthError("invalid_redirect_uri", "redirect_uris is not a list of URIs.");
    throw new OAuthError("invalid_client_metadata", `${field} is not valid. Clients are public and have no secret.`);
  }
  const { redirect_uris: redirectUris, client_name: name, client_uri: uri, grant_types, scope } = parsed.data;
  const grantTypes = GRANT_TYPES.filter((type) => grant_types.includes(type));
  if (!grantTypes.some((type) => type !== "refresh_token"))
    throw new OAuthError("invalid_client_metadata", "grant_types has no grant that starts an authorization.");
  for (const [index, redirect] of redirectUris.entries()) {
    const refusal = refuseRedirectUri(redirect);
    if (refusal !== null) throw new OAuthError("invalid_redirect_uri", `redirect_uris[${index}] ${refusal}.`);
  }
  if (redirectUris.length === 0 && grantTypes.includes("authorization_code"))
    throw new OAuthError("invalid_redirect_uri", "A client with authorization codes has at least one redirect URI.");
  const scopes = scope === undefined ? SCOPES : parseScopes(scope, SCOPES);
  if (scopes === null) throw new OAuthError("invalid_client_metadata", `scope is a list of ${SCOPES.join(", ")}.`);
  return { name: name ?? null, uri: uri ?? null, redirectUris, grantTypes, scopes };
}
