import { z } from "zod";
import { SCOPES } from "../../domain/accounts/accounts.ts";
import { TOKEN_RESOURCES } from "../../domain/accounts/oauth.ts";

const id = z.int().meta({ description: "Number of the grant.", example: 31 });
const instant = (description: string, example: string) =>
  z.iso.datetime().meta({ description: `${description} UTC.`, example });

export const OAuthGrant = z
  .strictObject({
    id,
    client_id: z.string().meta({
      description: "Id of the application: the one it registered, or the URL of its metadata document.",
      example: "https://app.example.com/oauth/client.json",
    }),
    client_name: z.string().nullable().meta({
      description: "The name that the application gave itself; null without one.",
      example: "Trade notebook",
    }),
    scopes: z.array(z.enum(SCOPES)).meta({ description: "Scopes of its tokens.", example: ["read"] }),
    resource: z.enum(TOKEN_RESOURCES).meta({
      description: "Where its tokens are accepted. api: the whole API. mcp: the MCP endpoint only.",
      example: "api",
    }),
    created_at: instant("When the account granted it.", "2026-11-20T12:00:00.000Z"),
    expires_at: instant("When it ends unless the application refreshes its tokens before.", "2026-12-20T12:00:00.000Z"),
    last_used_at: z.iso.datetime().nullable().meta({
      description: "When the last counted request was stored; null before the first. UTC.",
      example: null,
    }),
    month_requests: z.int().meta({ description: "Requests in this UTC month.", example: 120 }),
  })
  .meta({ id: "OAuthGrant", description: "Access of an application to the account." });

export const RevokedOAuthGrant = z
  .strictObject({ id, revoked_at: instant("When it was revoked.", "2026-11-21T12:00:00.000Z") })
  .meta({ id: "RevokedOAuthGrant", description: "A grant that has been revoked." });
