import { ApiError } from "../api/errors.ts";
import type { Principal } from "../context.ts";
import type { PresentedKey } from "../ports/ip-budget.ts";
import type { Runtime } from "../runtime.ts";
import { authenticate } from "./authenticate.ts";
import { parseRecord } from "./credential-record.ts";
import { decideAccess, type Requirement } from "./decide-access.ts";

/** What the cache has of a key. */
export interface StoredCredential {
  readonly credential: string | null;
  /** Whether the key was found in Postgres before, if not of late. */
  readonly wasFound: boolean;
}

export interface CallerContext {
  readonly requirement: Requirement;
  readonly runtime: Runtime;
  readonly now: Date;
  /** Runs work after the answer has been sent. */
  readonly later: (work: Promise<unknown>) => void;
}

/** Who presents a key: authenticated at most once a request, and by the budget of the address only when that would refuse a stranger. */
export class Caller implements PresentedKey {
  readonly id: string;
  readonly #stored: Promise<StoredCredential>;
  readonly #context: CallerContext;
  #principal: Promise<Principal> | null = null;

  /** @param id the key's entry in Redis */
  constructor(id: string, stored: Promise<StoredCredential>, context: CallerContext) {
    this.id = id;
    this.#stored = stored;
    this.#context = context;
  }

  /** @throws ApiError with the refusal */
  authenticate(): Promise<Principal> {
    return (this.#principal ??= this.#authenticate());
  }

  async isKnownValid(): Promise<boolean> {
    const { requirement, now } = this.#context;
    const record = recordOf(await this.#stored);
    return record !== null && decideAccess(record, requirement, now).kind === "granted";
  }

  async isValid(mayLookUp: () => boolean): Promise<boolean> {
    const stored = await this.#stored;
    if (recordOf(stored) === null && !stored.wasFound && !mayLookUp()) return false;
    return this.authenticate().then(
      () => true,
      (error: unknown) => !(error instanceof ApiError),
    );
  }

  async #authenticate(): Promise<Principal> {
    const { requirement, runtime, now, later } = this.#context;
    const { credential } = await this.#stored;
    return authenticate({ key: this.id, stored: credential }, requirement, runtime, now, later);
  }
}

const recordOf = ({ credential }: StoredCredential) => (credential === null ? null : parseRecord(credential));
