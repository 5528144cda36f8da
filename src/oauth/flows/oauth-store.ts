import type { Scope } from "../../domain/accounts/accounts.ts";
import type { GrantEnd, TokenResource } from "../../domain/accounts/oauth.ts";
import type { CodeState, DeviceState, RefreshState } from "../rules/states.ts";

export interface NewAccessToken {
  readonly hash: string;
  readonly scopes: readonly Scope[];
  readonly resource: TokenResource;
  readonly expiresAt: Date;
}

export interface NewTokens {
  readonly access: NewAccessToken;
  /** Null for a client without refresh tokens. */
  readonly refresh: { readonly hash: string; readonly expiresAt: Date } | null;
}

export interface Rotation {
  readonly grantId: number;
  /** The version that the decision has read. */
  readonly version: number;
  readonly generation: number;
  readonly rotatedAt: Date;
}

/** A refresh or access token and the grant that it belongs to. */
export interface TokenOwner {
  readonly grantId: number;
  readonly accountId: number;
  readonly clientId: string;
}

/** As `AccessTokens` of the queries. */
export interface GrantTokens {
  readonly accountId: number;
  readonly hashes: readonly string[];
}

/**
 * The stored state of codes and grants. Each write is one statement that changes nothing unless the state is
 * still the one that was read; it then returns null or false, and the caller reads and decides again.
 */
export interface OAuthStore {
  findCode(hash: string): Promise<CodeState | null>;
  /** Makes a grant with its first tokens of an unused code. @returns its id; null for a used code */
  redeemCode(hash: string, tokens: NewTokens, now: Date): Promise<number | null>;
  findRefresh(hash: string): Promise<RefreshState | null>;
  rotate(rotation: Rotation, tokens: NewTokens, now: Date): Promise<boolean>;
  findDevice(hash: string): Promise<DeviceState | null>;
  recordPoll(hash: string, version: number, intervalSeconds: number, now: Date): Promise<boolean>;
  /** Makes a grant with its first tokens of an approved device code. */
  redeemDevice(hash: string, version: number, tokens: NewTokens, now: Date): Promise<number | null>;
  findAccessOwner(hash: string): Promise<TokenOwner | null>;
  findRefreshOwner(hash: string): Promise<TokenOwner | null>;
  /** The access tokens of a grant that have not expired. */
  listAccessTokens(grantId: number, now: Date): Promise<GrantTokens>;
  /** Ends a grant; one that has ended stays as it is. @returns as `listAccessTokens`, after the end */
  revokeGrant(grantId: number, endedBy: GrantEnd, now: Date): Promise<GrantTokens>;
  revokeAccess(hash: string, now: Date): Promise<void>;
}
