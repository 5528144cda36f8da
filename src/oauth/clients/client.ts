import type { Scope } from "../../domain/accounts/accounts.ts";
import type { GrantType } from "../../domain/accounts/oauth.ts";

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
