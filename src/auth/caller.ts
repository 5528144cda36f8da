import { ApiError } from "../api/errors.ts";
import type { CredentialIdentity } from "../domain/accounts/credential-record.ts";
import type { AccessRefusal, AccessRequirement } from "../domain/accounts/decide-access.ts";
import { MeterUnavailable } from "../platform/objects/meter.ts";
import type { PresentedKey } from "../platform/rate-limit/ip-budget.ts";
import type { Runtime } from "../runtime.ts";
import { recordLoader, refusalError } from "./authenticate.ts";
import { identifyCredential } from "./identify-credential.ts";

export interface CallerContext {
  readonly requirement: AccessRequirement;
  readonly runtime: Pick<Runtime, "config" | "credentials" | "db" | "cache" | "meter" | "wait">;
  readonly now: Date;
  /** Keeps the request alive for work that outlasts the response. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/** The caller who presents a key. Its account is looked up at most once per request. */
export class Caller implements PresentedKey {
  readonly id: string;
  readonly requirement: AccessRequirement;
  readonly #hashes: readonly string[];
  readonly #context: CallerContext;
  #identity: Promise<CredentialIdentity | null> | null = null;

  /** @param hashes of the presented credential, that of the current secret first */
  constructor(hashes: readonly string[], context: CallerContext) {
    this.id = hashes[0] ?? "";
    this.requirement = context.requirement;
    this.#hashes = hashes;
    this.#context = context;
  }

  /** The stored credential. @throws ApiError invalid_api_key for an unknown one, and errors of the database */
  async identify(): Promise<CredentialIdentity> {
    const identity = await this.#identify(() => true);
    if (identity === null) throw refusalError("invalid_api_key", this.#context.runtime.config);
    return identity;
  }

  /** Asks the account's meter for access alone. @throws ApiError with the refusal */
  async authorize(): Promise<void> {
    const { requirement, runtime } = this.#context;
    const request = { credential: await this.identify(), requirement };
    const access = await runtime.meter.authorize(request, recordLoader(runtime)).catch((cause: unknown) => {
      throw cause instanceof MeterUnavailable ? new ApiError("request_accounting_unavailable", { cause }) : cause;
    });
    if (access.kind === "refused") throw this.refusal(access.reason);
  }

  /** The error of a refusal by the meter. An invalid key counts as a stranger for the IP budget from then on. */
  refusal(reason: AccessRefusal): ApiError {
    const { runtime, now } = this.#context;
    if (reason === "invalid_api_key") runtime.credentials.addUnknown(this.id, now.getTime());
    return refusalError(reason, runtime.config, this.requirement);
  }

  /** The same caller for work that outlives the request: it captures nothing of it. */
  detach(): Caller {
    return new Caller(this.#hashes, { ...this.#context, waitUntil: () => undefined });
  }

  isKnown(): boolean {
    const { runtime, now } = this.#context;
    return runtime.credentials.find(this.id) !== null && !runtime.credentials.isUnknown(this.id, now.getTime());
  }

  async isValid(mayLookUp: () => boolean): Promise<boolean> {
    try {
      if ((await this.#identify(mayLookUp)) === null) return false;
      await this.authorize();
      return true;
    } catch (error) {
      // Without an answer the request goes on, and fails at its admission.
      return !(error instanceof ApiError) || error.reason === "request_accounting_unavailable";
    }
  }

  #identify(mayLookUp: () => boolean): Promise<CredentialIdentity | null> {
    return (this.#identity ??= identifyCredential(this.#hashes, this.#context, mayLookUp));
  }
}
