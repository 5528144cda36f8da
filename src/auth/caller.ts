import { ApiError } from "../api/errors.ts";
import type { Principal } from "../context.ts";
import type { PresentedKey } from "../platform/rate-limit/ip-budget.ts";
import type { Runtime } from "../runtime.ts";
import { authenticate, findRecord } from "./authenticate.ts";
import { decideAccess, type AccessRequirement } from "./decide-access.ts";

/** The cached state of a key. */
export interface StoredCredential {
  /** What is stored under each of its record keys; empty while Redis is unavailable. */
  readonly credential: readonly (string | null)[];
  /** Whether the key was found in Postgres before. True may outlive the record. */
  readonly wasFound: boolean;
}

export interface CallerContext {
  readonly requirement: AccessRequirement;
  readonly runtime: Runtime;
  readonly now: Date;
  /** Keeps the request alive for work that outlasts the response. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/**
 * The caller who presents a key. It is authenticated at most once per request. The IP budget authenticates it
 * only when it would refuse a request without a valid key.
 */
export class Caller implements PresentedKey {
  readonly id: string;
  readonly #recordKeys: readonly string[];
  readonly #stored: Promise<StoredCredential>;
  readonly #context: CallerContext;
  #principal: Promise<Principal> | null = null;

  /** @param recordKeys the Redis keys of the credential record, that of the current secret first */
  constructor(recordKeys: readonly string[], stored: Promise<StoredCredential>, context: CallerContext) {
    this.id = recordKeys[0] ?? "";
    this.#recordKeys = recordKeys;
    this.#stored = stored;
    this.#context = context;
  }

  /** @throws ApiError with the refusal */
  authenticate(): Promise<Principal> {
    return (this.#principal ??= this.#authenticate());
  }

  async isKnownValid(): Promise<boolean> {
    const { requirement, now } = this.#context;
    const record = findRecord((await this.#stored).credential);
    return record !== null && decideAccess(record, requirement, now).kind === "granted";
  }

  async isValid(mayLookUp: () => boolean): Promise<boolean> {
    const stored = await this.#stored;
    if (findRecord(stored.credential) === null && !stored.wasFound && !mayLookUp()) return false;
    return this.authenticate().then(
      () => true,
      (error: unknown) => !(error instanceof ApiError),
    );
  }

  async #authenticate(): Promise<Principal> {
    const { requirement, runtime, now, waitUntil } = this.#context;
    const { credential } = await this.#stored;
    return authenticate({ keys: this.#recordKeys, stored: credential }, requirement, runtime, now, waitUntil);
  }
}
