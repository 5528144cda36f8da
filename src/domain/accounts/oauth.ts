import type { Scope } from "./accounts.ts";

/**
 * What a token may be used for (RFC 8707): the whole API, or its MCP endpoint alone. A token for `api` is
 * accepted at the MCP endpoint too.
 */
export const TOKEN_RESOURCES = ["api", "mcp"] as const;
export type TokenResource = (typeof TOKEN_RESOURCES)[number];

export const GRANT_TYPES = [
  "authorization_code",
  "refresh_token",
  "urn:ietf:params:oauth:grant-type:device_code",
] as const;
export type GrantType = (typeof GRANT_TYPES)[number];

/** A public client. */
export interface OAuthClient {
  readonly id: string;
  /** As the client calls itself; nothing proves it. */
  readonly name: string | null;
  readonly uri: string | null;
  readonly redirectUris: readonly string[];
  readonly grantTypes: readonly GrantType[];
  /** The scopes it may ask for. */
  readonly scopes: readonly Scope[];
}

/** Why a grant ended before its time. */
export const GRANT_ENDS = ["owner", "client", "code_reuse", "refresh_reuse"] as const;
export type GrantEnd = (typeof GRANT_ENDS)[number];

export const DEVICE_DECISIONS = ["pending", "approved", "denied", "redeemed"] as const;
export type DeviceDecision = (typeof DEVICE_DECISIONS)[number];

export const ACCESS_TOKEN_SECONDS = 3_600;
export const REFRESH_TOKEN_SECONDS = 30 * 86_400;
/** A code travels through one redirect, so a minute is ample. */
export const CODE_SECONDS = 60;
export const DEVICE_CODE_SECONDS = 600;
export const DEVICE_INTERVAL_SECONDS = 5;
/** A refresh token that was used may be sent again for this long, in case its answer was lost. */
export const REFRESH_GRACE_SECONDS = 30;
