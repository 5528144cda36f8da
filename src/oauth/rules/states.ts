import type { AccountState, Scope } from "../../domain/accounts/accounts.ts";
import type { DeviceDecision, GrantType, TokenResource } from "../../domain/accounts/oauth.ts";

/** What is stored under an authorization code. */
export interface CodeState {
  readonly clientId: string;
  readonly accountId: number;
  readonly accountState: AccountState;
  /** Those that the client registered. */
  readonly clientGrantTypes: readonly GrantType[];
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly scopes: readonly Scope[];
  readonly resource: TokenResource;
  readonly expiresMs: number;
  /** The grant that was made of it; null while it is unused. */
  readonly grantId: number | null;
}

/** What is stored under a refresh token. */
export interface RefreshState {
  readonly grantId: number;
  readonly clientId: string;
  readonly accountState: AccountState;
  readonly scopes: readonly Scope[];
  readonly resource: TokenResource;
  readonly isRevoked: boolean;
  /** Of the token. */
  readonly generation: number;
  readonly expiresMs: number;
  /** Of the grant. */
  readonly currentGeneration: number;
  readonly rotatedMs: number | null;
  readonly version: number;
}

/** What is stored under a device code. */
export interface DeviceState {
  readonly clientId: string;
  readonly clientGrantTypes: readonly GrantType[];
  readonly scopes: readonly Scope[];
  readonly resource: TokenResource;
  readonly expiresMs: number;
  readonly decision: DeviceDecision;
  /** Of the account that decided; null while it is pending. */
  readonly accountState: AccountState | null;
  readonly intervalSeconds: number;
  readonly polledMs: number | null;
  readonly version: number;
}

/** Whether an account may be given tokens. A lapsed one may: its requests are refused with the way back. */
export const mayHoldTokens = (state: AccountState): boolean => state === "active" || state === "lapsed";
