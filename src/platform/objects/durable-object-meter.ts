import type { CredentialRecord, LoadRecord } from "../../domain/accounts/credential-record.ts";
import type { AccessCheck, AccessDecision } from "../../domain/accounts/decide-access.ts";
import type { Env } from "../../env.ts";
import { currentScope } from "../../lib/work-scope.ts";
import { withTimeout } from "../../lib/timing/with-timeout.ts";
import { MeterUnavailable, type Admission, type CallerRequest, type Meter } from "./meter.ts";
import type { AccessCall, LoadedRecord, UnknownCredential } from "./meter-calls.ts";

const TIMEOUT_MS = 2_000;
/** A record is read again when the account changed while it was read. */
const MAX_LOADS = 4;

type Objects = Pick<Env["USER_METER"], "idFromName" | "get">;
type MeterObject = ReturnType<Objects["get"]>;

/** The meter over one Durable Object per account. */
export class DurableObjectMeter implements Meter {
  readonly #objects: Objects;

  constructor(objects: Objects) {
    this.#objects = objects;
  }

  /**
   * A call that times out may still be counted: the user is then charged for a request that was not served.
   * The reverse never happens.
   */
  admit(request: CallerRequest, load: LoadRecord): Promise<Admission> {
    const requestId = currentScope()?.requestId ?? null;
    return this.#askWithRecord<Admission>(request, load, (meter, loaded) =>
      meter.admitCaller({ ...request, loaded, requestId }),
    );
  }

  authorize(
    { credential, requirement }: Pick<CallerRequest, "credential" | "requirement">,
    load: LoadRecord,
  ): Promise<AccessDecision> {
    return this.#askWithRecord<AccessDecision>({ credential }, load, (meter, loaded) =>
      meter.authorize({ credential, requirement, loaded }),
    );
  }

  /**
   * Decides access alone for several credentials of one account, in one call, and spends nothing.
   *
   * @param load reads the records of hashes that the meter does not have, in their order
   * @returns in the order of the checks; null where the record could not be read
   * @throws MeterUnavailable when the meter does not respond
   */
  async authorizeAll(
    accountId: number,
    checks: readonly AccessCheck[],
    load: (hashes: readonly string[]) => Promise<readonly CredentialRecord[]>,
  ): Promise<(AccessDecision | null)[]> {
    let loaded = new Map<string, LoadedRecord>();
    let answers: (AccessDecision | UnknownCredential)[] = [];
    for (let loads = 0; loads <= MAX_LOADS; loads += 1) {
      const calls = checks.map(({ hash, requirement }) => ({
        credential: { hash, accountId },
        requirement,
        loaded: loaded.get(hash) ?? null,
      }));
      answers = await this.#ask(accountId, (meter) => askAll(meter, calls));
      const unknown = new Map(
        answers.flatMap((answer, index) => (isUnknown(answer) ? [[checks[index]?.hash ?? "", answer] as const] : [])),
      );
      if (unknown.size === 0) break;
      const hashes = [...unknown.keys()];
      const records = await load(hashes).catch(() => null);
      if (records === null) break;
      loaded = new Map(
        hashes.flatMap((hash, index) => {
          const [record, revision] = [records[index], unknown.get(hash)?.revision];
          return record === undefined || revision === undefined ? [] : [[hash, { revision, record }]];
        }),
      );
    }
    return answers.map((answer) => (isUnknown(answer) ? null : answer));
  }

  async refuse(accountId: number, hashes: readonly string[]): Promise<void> {
    if (hashes.length > 0) await this.#ask(accountId, (meter) => meter.refuse(hashes));
  }

  async forget(accountId: number): Promise<void> {
    await this.#ask(accountId, (meter) => meter.forget());
  }

  async #askWithRecord<Answer extends { kind: string }>(
    { credential: { accountId, hash } }: Pick<CallerRequest, "credential">,
    load: LoadRecord,
    call: (meter: MeterObject, loaded: LoadedRecord | null) => Promise<Answer | UnknownCredential>,
  ): Promise<Answer> {
    let loaded: LoadedRecord | null = null;
    for (let loads = 0; loads <= MAX_LOADS; loads += 1) {
      const answer: Answer | UnknownCredential = await this.#ask(accountId, (meter) => call(meter, loaded));
      if (!isUnknown(answer)) return answer;
      loaded = { revision: answer.revision, record: await load(hash) };
    }
    throw new MeterUnavailable("the credentials of the account changed during each read");
  }

  async #ask<Answer>(accountId: number, call: (meter: MeterObject) => Promise<Answer>): Promise<Answer> {
    try {
      return await withTimeout(call(this.#objects.get(this.#objects.idFromName(String(accountId)))), TIMEOUT_MS);
    } catch (cause) {
      throw new MeterUnavailable("the user's meter did not respond", { cause });
    }
  }
}

/** An object of the previous release decides one credential in a call. */
async function askAll(
  meter: MeterObject,
  calls: readonly AccessCall[],
): Promise<(AccessDecision | UnknownCredential)[]> {
  try {
    return await meter.authorizeAll(calls);
  } catch (error) {
    if (!lacksMethod(error, "authorizeAll")) throw error;
    return Promise.all(calls.map((call) => meter.authorize(call)));
  }
}

/** Whether the runtime says that an object, which is of another release, does not have a method. */
const lacksMethod = (error: unknown, method: string): boolean =>
  error instanceof TypeError && /^The RPC receiver does not implement .*"(\w+)"/.exec(error.message)?.[1] === method;

const isUnknown = (answer: { kind: string }): answer is UnknownCredential => answer.kind === "unknown";
