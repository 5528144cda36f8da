import { utcDate } from "../../src/scoring/utc-calendar.ts";
import { DurableObject } from "cloudflare:workers";
import { parseConfig } from "../../src/config.ts";
import { openDatabase } from "../../src/db/client.ts";
import { requireCurrentSchema } from "../../src/db/schema-version.ts";
import type { Env } from "../../src/env.ts";
import { consoleLog, describeError } from "../../src/platform/log/console-log.ts";
import { inScope } from "../../src/lib/work-scope.ts";
import type { MeterRequest, MeterVerdict, TracedMeterRequest } from "../../src/platform/objects/meter.ts";
import { decideAdmission } from "./decide-admission.ts";
import { flushMeter } from "./flush-meter.ts";
import { MeterStorage } from "./meter-storage.ts";
import { seedMeter } from "./seed-meter.ts";

/**
 * Minimum delay of a flush to Postgres and of its retry. With the spread by account it is 30 to 59 seconds.
 */
const FLUSH_MS = 30_000;

/** Accepted lateness of an alarm. */
const ALARM_TOLERANCE_MS = 30_000;

/**
 * The budgets of one user, across all credentials, and the usage record. A response to `admit` leaves only
 * after SQLite has stored the admission, so neither an eviction nor a crash loses one. Postgres follows
 * within a minute. If an object loses its storage, the counts since the last flush are lost, the rate-limit
 * windows restart empty, and the month's count is restored with the first flush.
 */
export class UserMeter extends DurableObject<Env> {
  readonly #storage: MeterStorage;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#storage = new MeterStorage(state.storage);
  }

  admit({ requestId = null, ...request }: TracedMeterRequest): Promise<MeterVerdict> {
    return inScope({ requestId, work: request.operation }, () => this.#admit(request));
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
    if (accountId === null) return;
    // Requests counted from here on schedule the next flush.
    this.#storage.beginFlush();
    try {
      this.#storage.moveRecent();
      const config = parseConfig(this.env);
      const db = openDatabase(config);
      await requireCurrentSchema(config.databaseUrl, db, consoleLog);
      if (!this.#storage.isSeeded()) await seedMeter(this.#storage, db, accountId, Date.now());
      await flushMeter(this.#storage, db, accountId, Date.now());
    } catch (error) {
      consoleLog.warn("meter.usage_flush_failed", { account_id: accountId, error: describeError(error) });
      await this.ctx.storage.setAlarm(Date.now() + flushDelayMs(accountId));
    }
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
