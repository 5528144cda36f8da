import { hashCredential } from "../../auth/api-key-format.ts";
import type { Config } from "../../config.ts";
import type { Scope } from "../../domain/accounts/accounts.ts";
import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_SECONDS, type TokenResource } from "../../domain/accounts/oauth.ts";
import type { Meter } from "../../platform/objects/meter.ts";
import type { Log } from "../../platform/log/log.ts";
import { generateSecret, type Random } from "../rules/token-format.ts";
import type { NewTokens, OAuthStore } from "./oauth-store.ts";

/** The dependencies of a flow. */
export interface FlowContext {
  readonly config: Pick<Config, "keyPrefix" | "credentialKeys" | "apiBaseUrl">;
  readonly store: OAuthStore;
  readonly meter: Pick<Meter, "refuse">;
  readonly random: Random;
  readonly log: Pick<Log, "error">;
  readonly now: Date;
}

/** The response of the token endpoint (RFC 6749 section 5.1). */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: "Bearer";
  readonly expires_in: number;
  readonly refresh_token?: string;
  readonly scope: string;
}

/** Attempts of a flow whose state changes between its read and its write. */
export const MAX_ATTEMPTS = 5;

/** New tokens: the response that shows them, and their stored form. */
export async function prepareTokens(
  { config, random, now }: Pick<FlowContext, "config" | "random" | "now">,
  { scopes, resource }: { readonly scopes: readonly Scope[]; readonly resource: TokenResource },
  hasRefresh: boolean,
): Promise<{ readonly response: TokenResponse; readonly stored: NewTokens }> {
  const access = generateSecret(config.keyPrefix, "at", random);
  const refresh = hasRefresh ? generateSecret(config.keyPrefix, "rt", random) : null;
  const hash = (token: string) => hashCredential(config.credentialKeys.current, token);
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000);
  return {
    response: {
      access_token: access,
      token_type: "Bearer",
      expires_in: ACCESS_TOKEN_SECONDS,
      ...(refresh === null ? {} : { refresh_token: refresh }),
      scope: scopes.join(" "),
    },
    stored: {
      access: { hash: await hash(access), scopes, resource, expiresAt: after(ACCESS_TOKEN_SECONDS) },
      refresh: refresh === null ? null : { hash: await hash(refresh), expiresAt: after(REFRESH_TOKEN_SECONDS) },
    },
  };
}
