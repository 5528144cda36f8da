import { LRUCache } from "lru-cache";
import type { CredentialIdentity } from "../domain/accounts/credential-record.ts";

const MAX_KNOWN = 50_000;
const MAX_HASHES = 10_000;
const MAX_UNKNOWN = 10_000;
const MAX_LOOK_UPS = 10_000;
/**
 * How long a credential that was not found is not looked up again. A key is 256 random bits and leaves only after it is
 * stored, so nothing can present one before it exists: this never hides a new key.
 */
const UNKNOWN_MS = 10_000;

/**
 * A look-up that a request of this isolate has in flight. Other requests watch for its outcome. None awaits its promise: in
 * workerd it would go on as a part of the request that looks up, and end with it.
 */
export interface LookUp {
  /** Null until it settles, and for good when its request is cancelled. */
  outcome: { readonly identity: CredentialIdentity | null } | { readonly error: unknown } | null;
}

/**
 * The credentials that this isolate has met, by the first hash of `hashesOf`: to which account each belongs, which never
 * changes. Whether one is valid, only the account's meter knows.
 */
export class KnownCredentials {
  readonly #known = new LRUCache<string, CredentialIdentity>({ max: MAX_KNOWN });
  readonly #hashes = new LRUCache<string, readonly string[]>({ max: MAX_HASHES });
  readonly #unknown = new LRUCache<string, number>({ max: MAX_UNKNOWN });
  readonly #lookUps = new LRUCache<string, LookUp>({ max: MAX_LOOK_UPS });

  find(hash: string): CredentialIdentity | null {
    return this.#known.get(hash) ?? null;
  }

  /** The hashes of a credential as it is presented. */
  findHashes(credential: string): readonly string[] | null {
    return this.#hashes.get(credential) ?? null;
  }

  /**
   * Remembers the hashes of a credential that this isolate has met, in memory only: a hash is an asynchronous call of the
   * runtime. Those of others are not remembered, so that guesses displace none.
   */
  addHashes(credential: string, hashes: readonly string[]): void {
    if (this.#known.has(hashes[0] ?? "")) this.#hashes.set(credential, hashes);
  }

  /** Whether the credential was not found lately, or was refused as invalid. */
  isUnknown(hash: string, nowMs: number): boolean {
    return nowMs < (this.#unknown.get(hash) ?? 0);
  }

  add(hash: string, identity: CredentialIdentity): void {
    this.#known.set(hash, identity);
  }

  addUnknown(hash: string, nowMs: number): void {
    this.#unknown.set(hash, nowMs + UNKNOWN_MS);
  }

  /** The look-up of a credential that a request of this isolate has in flight. */
  findLookUp(hash: string): LookUp | null {
    return this.#lookUps.get(hash) ?? null;
  }

  /** A new look-up that requests can find until `dropLookUp`. */
  addLookUp(hash: string): LookUp {
    const lookUp: LookUp = { outcome: null };
    this.#lookUps.set(hash, lookUp);
    return lookUp;
  }

  dropLookUp(hash: string, lookUp: LookUp): void {
    if (this.#lookUps.get(hash) === lookUp) this.#lookUps.delete(hash);
  }
}
