import type { OAuthStore, NewTokens } from "../../../src/oauth/flows/oauth-store.ts";
import type { CodeState, DeviceState } from "../../../src/oauth/rules/states.ts";
import type { AccountState, Scope } from "../../../src/domain/accounts/accounts.ts";
import type { TokenResource } from "../../../src/domain/accounts/oauth.ts";

export interface MemoryGrant {
  readonly id: number;
  readonly accountId: number;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly resource: TokenResource;
  revokedMs: number | null;
  generation: number;
  rotatedMs: number | null;
  version: number;
}

export interface MemoryAccess {
  readonly grant: MemoryGrant;
  readonly scopes: readonly Scope[];
  readonly resource: TokenResource;
  readonly expiresMs: number;
  revokedMs: number | null;
}

type MutableCode = { -readonly [K in keyof Omit<CodeState, "accountState">]: CodeState[K] };
type MutableDevice = { -readonly [K in keyof Omit<DeviceState, "accountState">]: DeviceState[K] } & {
  accountId: number | null;
};

/** The store in memory, with the same conditional writes. `pause` is where another request may run. */
export class MemoryStore implements OAuthStore {
  readonly grants = new Map<number, MemoryGrant>();
  readonly access = new Map<string, MemoryAccess>();
  readonly refresh = new Map<string, { grant: MemoryGrant; generation: number; expiresMs: number }>();
  readonly codes = new Map<string, MutableCode>();
  readonly devices = new Map<string, MutableDevice>();
  readonly accountStates = new Map<number, AccountState>();
  readonly #hashes = new Map<number, readonly string[]>();
  readonly #pause: () => Promise<void>;

  constructor(pause: () => Promise<void>) {
    this.#pause = pause;
  }

  #stateOf(accountId: number): AccountState {
    return this.accountStates.get(accountId) ?? "active";
  }

  #addGrant(
    of: { accountId: number; clientId: string; scopes: readonly Scope[]; resource: TokenResource },
    tokens: NewTokens,
  ): number {
    const { accountId, clientId, scopes, resource } = of;
    const id = this.grants.size + 1;
    const grant = {
      id,
      accountId,
      clientId,
      scopes,
      resource,
      revokedMs: null,
      generation: 0,
      rotatedMs: null,
      version: 0,
    };
    this.grants.set(id, grant);
    this.#addTokens(grant, tokens);
    return id;
  }

  #addTokens(grant: MemoryGrant, { access, refresh }: NewTokens): void {
    this.access.set(access.hash, { ...access, grant, expiresMs: access.expiresAt.getTime(), revokedMs: null });
    this.#hashes.set(grant.id, [...(this.#hashes.get(grant.id) ?? []), access.hash]);
    if (refresh === null) return;
    this.refresh.set(refresh.hash, { grant, generation: grant.generation, expiresMs: refresh.expiresAt.getTime() });
  }

  async findCode(hash: string) {
    await this.#pause();
    const code = this.codes.get(hash);
    return code === undefined ? null : { ...code, accountState: this.#stateOf(code.accountId) };
  }

  async redeemCode(hash: string, tokens: NewTokens) {
    await this.#pause();
    const code = this.codes.get(hash);
    if (code === undefined || code.grantId !== null) return null;
    code.grantId = this.#addGrant(code, tokens);
    return code.grantId;
  }

  async findRefresh(hash: string) {
    await this.#pause();
    const token = this.refresh.get(hash);
    if (token === undefined) return null;
    const { grant, generation, expiresMs } = token;
    return {
      grantId: grant.id,
      clientId: grant.clientId,
      accountState: this.#stateOf(grant.accountId),
      scopes: grant.scopes,
      resource: grant.resource,
      isRevoked: grant.revokedMs !== null,
      generation,
      expiresMs,
      currentGeneration: grant.generation,
      rotatedMs: grant.rotatedMs,
      version: grant.version,
    };
  }

  async rotate(rotation: Parameters<OAuthStore["rotate"]>[0], tokens: NewTokens) {
    await this.#pause();
    const grant = this.grants.get(rotation.grantId);
    if (grant === undefined || grant.version !== rotation.version || grant.revokedMs !== null) return false;
    grant.generation = rotation.generation;
    grant.rotatedMs = rotation.rotatedAt.getTime();
    grant.version += 1;
    this.#addTokens(grant, tokens);
    return true;
  }

  async findDevice(hash: string) {
    await this.#pause();
    const device = this.devices.get(hash);
    if (device === undefined) return null;
    return { ...device, accountState: device.accountId === null ? null : this.#stateOf(device.accountId) };
  }

  async recordPoll(hash: string, version: number, intervalSeconds: number, now: Date) {
    await this.#pause();
    const device = this.devices.get(hash);
    if (device === undefined || device.version !== version) return false;
    Object.assign(device, { intervalSeconds, polledMs: now.getTime(), version: version + 1 });
    return true;
  }

  async redeemDevice(hash: string, version: number, tokens: NewTokens) {
    await this.#pause();
    const device = this.devices.get(hash);
    if (device === undefined || device.version !== version || device.decision !== "approved") return null;
    if (device.accountId === null) return null;
    Object.assign(device, { decision: "redeemed", version: version + 1 });
    return this.#addGrant({ ...device, accountId: device.accountId }, tokens);
  }

  async findAccessOwner(hash: string) {
    await this.#pause();
    const token = this.access.get(hash);
    return token === undefined ? null : ownerOf(token.grant);
  }

  async findRefreshOwner(hash: string) {
    await this.#pause();
    const token = this.refresh.get(hash);
    return token === undefined ? null : ownerOf(token.grant);
  }

  async listAccessTokens(grantId: number, now: Date) {
    await this.#pause();
    const hashes = this.#hashes.get(grantId) ?? [];
    return {
      accountId: this.grants.get(grantId)?.accountId ?? 0,
      hashes: hashes.filter((hash) => (this.access.get(hash)?.expiresMs ?? 0) > now.getTime()),
    };
  }

  async revokeGrant(grantId: number, _endedBy: unknown, now: Date) {
    await this.#pause();
    const grant = this.grants.get(grantId);
    if (grant === undefined) throw new Error("no such grant");
    grant.revokedMs ??= now.getTime();
    grant.version += 1;
    return this.listAccessTokens(grantId, now);
  }

  async revokeAccess(hash: string, now: Date) {
    await this.#pause();
    const token = this.access.get(hash);
    if (token !== undefined) token.revokedMs ??= now.getTime();
  }
}

const ownerOf = ({ id, accountId, clientId }: MemoryGrant) => ({ grantId: id, accountId, clientId });
