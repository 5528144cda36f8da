import { utcDate } from "../../src/scoring/utc-calendar.ts";
import { DurableObject } from "cloudflare:workers";
import { parseConfig } from "../../src/config.ts";
import { openDatabase } from "../../src/db/client.ts";
import { requireCurrentSchema } from "../../src/db/schema-version.ts";
import type { Env } from "../../src/env.ts";
import { consoleLog, describeError } from "../../src/platform/log/console-log.ts";
import { inScope } from "../../src/lib/work-scope.ts";
import { CEILING_REQUESTS, INCLUDED_REQUESTS } from "../../src/domain/accounts/monthly-quota.ts";
import { decideAccess, type AccessDecision } from "../../src/domain/accounts/decide-access.ts";
import type { Admission, MeterRequest, MeterVerdict, Traced } from "../../src/platform/objects/meter.ts";
import type { AccessCall, CallerCall, UnknownCredential } from "../../src/platform/objects/meter-calls.ts";
import { CredentialStorage } from "./credential-storage.ts";
import { decideAdmission } from "./decide-admission.ts";
import { flushMeter } from "./flush-meter.ts";
import { refreshCredentials } from "./refresh-credentials.ts";
import { MeterStorage } from "./meter-storage.ts";
import { seedMeter } from "./seed-meter.ts";

/**
 * Minimum delay of a flush to Postgres and of its retry. With the spread by account it is 30 to 59 seconds.
 */
const FLUSH_MS = 30_000;

/**
 * Delays of the flush after a refusal. At the first one Postgres usually has the revocation, which is remembered from
 * then on: a database that is lost a moment later and restored revives no key. The last is longer than any request takes
 * to write it.
 */
const CONFIRM_MS = 2_000;
const CONFIRM_AGAIN_MS = 60_000;

/** Accepted lateness of an alarm. */
const ALARM_TOLERANCE_MS = 30_000;

/**
 * The credentials of one account, its budgets across all of them, and the usage record. A response to `admit` leaves only
 * after SQLite has stored the admission, so neither an eviction nor a crash loses one. Postgres follows
 * within a minute. If an object loses its storage, the counts since the last flush are lost, the rate-limit
 * windows restart empty, the month's count is restored with the first flush, and each credential is read from Postgres
 * before it is admitted.
 */
export class UserMeter extends DurableObject<Env> {
  readonly #storage: MeterStorage;
  readonly #credentials: CredentialStorage;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#storage = new MeterStorage(state.storage);
    this.#credentials = new CredentialStorage(state.storage);
  }

  /** Decides access and budgets of a request. */
  async admitCaller(call: CallerCall): Promise<Admission | UnknownCredential> {
    const access = this.#authorize(call);
    if (access.kind !== "granted") return access;
    const { principal } = access;
    const { credential, operation, budget, batchUnits, requestId = null } = call;
    const quota = { included: INCLUDED_REQUESTS, ceiling: CEILING_REQUESTS, payAsYouGo: principal.payAsYouGo };
    const request = { accountId: credential.accountId, keyId: principal.keyId, operation, budget, batchUnits, quota };
    return { kind: "granted", principal, verdict: await this.admit({ ...request, requestId }) };
  }

  /** Decides access alone. */
  async authorize(call: AccessCall): Promise<AccessDecision | UnknownCredential> {
    return this.#authorize(call);
  }

  /** Decides access alone for several credentials of the account. @returns in the order of the calls */
  async authorizeAll(calls: readonly AccessCall[]): Promise<(AccessDecision | UnknownCredential)[]> {
    return calls.map((call) => this.#authorize(call));
  }

  /** See `Meter.refuse`. The response leaves only after SQLite has stored the refusal. */
  async refuse(hashes: readonly string[]): Promise<void> {
    const nowMs = Date.now();
    this.#credentials.refuse(hashes, nowMs);
    await this.#flushBy(nowMs + CONFIRM_MS);
  }

  /** See `Meter.forget`. */
  async forget(): Promise<void> {
    this.#credentials.forget(Date.now());
  }

  /** Decides the budgets alone, for the release before `admitCaller`, which runs beside this one during a deployment. */
  admit({ requestId = null, ...request }: MeterRequest & Traced): Promise<MeterVerdict> {
    return inScope({ requestId, work: request.operation }, () => this.#admit(request));
  }

  #authorize({ credential: { hash, accountId }, requirement, loaded }: AccessCall): AccessDecision | UnknownCredential {
    const nowMs = Date.now();
    const { revision } = this.#credentials;
    let record = this.#credentials.find(hash, nowMs);
    if (record === null) {
      if (loaded === null || loaded.revision !== revision) return { kind: "unknown", revision };
      this.#credentials.store(hash, loaded.record, nowMs);
      record = loaded.record;
    }
    if (record.kind === "key" && record.account_id !== accountId)
      throw new Error(`a credential of account ${record.account_id} was presented to the meter of ${accountId}`);
    return decideAccess(record, requirement, new Date(nowMs));
  }

  async #admit(request: MeterRequest): Promise<MeterVerdict> {
    const nowMs = Date.now();
    // No await between reading and writing the state: a concurrent request would be decided on the same
    // state.
    const { verdict, next } = decideAdmission(this.#storage.readState(), request, nowMs);
    if (next === null) return { ...verdict, accounting: null };
    const dueMs = this.#storage.flushAtMs();
    // A long overdue alarm is set again, because an alarm is not certain to fire after an eviction. A current
    // one is not: setting it again would postpone it, and for a user who never pauses no flush would ever
    // run.
    const flushAtMs = dueMs > nowMs - ALARM_TOLERANCE_MS ? dueMs : nowMs + flushDelayMs(request.accountId);
    const { keyId: key_id, operation } = request;
    const counted = { day: utcDate(next.latestMs), key_id, operation };
    const hasRoom = this.#storage.hasRoomFor(counted) || this.#makeRoom(request);
    this.#storage.writeAdmission(request.accountId, next, flushAtMs, hasRoom ? counted : null);
    if (flushAtMs !== dueMs) await this.ctx.storage.setAlarm(flushAtMs);
    return { ...verdict, accounting: hasRoom ? "persisted" : "failed" };
  }

  override async alarm(): Promise<void> {
    const accountId = this.#storage.findAccountId();
    // Requests counted from here on schedule the next flush.
    this.#storage.beginFlush();
    try {
      this.#storage.moveRecent();
      const config = parseConfig(this.env);
      const db = openDatabase(config);
      await requireCurrentSchema(config.databaseUrl, db, consoleLog);
      if (accountId !== null) {
        if (!this.#storage.isSeeded()) await seedMeter(this.#storage, db, accountId, Date.now());
        await flushMeter(this.#storage, db, accountId, Date.now());
      }
      await refreshCredentials(this.#credentials, db, Date.now());
      const openMs = this.#credentials.newestOpenRefusalMs();
      if (openMs !== null && Date.now() < openMs + CONFIRM_AGAIN_MS) await this.#flushBy(openMs + CONFIRM_AGAIN_MS);
    } catch (error) {
      consoleLog.warn("meter.usage_flush_failed", { account_id: accountId, error: describeError(error) });
      await this.ctx.storage.setAlarm(Date.now() + flushDelayMs(accountId ?? 0));
    }
  }

  async #flushBy(atMs: number): Promise<void> {
    const dueMs = await this.ctx.storage.getAlarm();
    if (dueMs === null || dueMs > atMs) await this.ctx.storage.setAlarm(atMs);
  }

  /**
   * Makes room for one more usage record in the meter's row. On failure the request is only missing in the usage of
   * its key.
   */
  #makeRoom({ keyId, operation }: MeterRequest): boolean {
    try {
      this.#storage.moveRecent();
      return true;
    } catch (error) {
      consoleLog.error("meter.request_record_failed", { key_id: keyId, operation, error: describeError(error) });
      return false;
    }
  }
}

/** Spread by account, so that users who start at the same time do not flush at the same time. */
function flushDelayMs(accountId: number): number {
  return FLUSH_MS + (accountId % 30) * 1_000;
}
