import { DurableObject } from "cloudflare:workers";
import { parseConfig } from "../../src/config.ts";
import { openDatabase } from "../../src/db/client.ts";
import type { Env } from "../../src/env.ts";
import { consoleLog, describeError } from "../../src/lib/console-log.ts";
import type { MeterRequest, MeterVerdict } from "../../src/ports/meter.ts";
import { decideAdmission } from "./decide-admission.ts";
import { flushUsage } from "./flush-usage.ts";
import { MeterStorage } from "./meter-storage.ts";
import { dayOf } from "./month.ts";
import { seedUsage } from "./seed-usage.ts";

/** How long a counted request waits before Postgres has it too, and how long a failed flush rests: from 30 seconds to nearly a minute. */
const FLUSH_MS = 30_000;

/** How late an alarm may fire. */
const LATE_MS = 30_000;

/**
 * The budgets of one user, across all credentials, and the record of what they asked. An admission is answered only once SQLite has it, so
 * neither an eviction nor a crash forgets one. Postgres follows within a minute; should an object ever lose its storage, what was counted
 * since the last flush is lost, the minute's windows begin anew, and the month's count is taken up again with the first flush.
 */
export class UserMeter extends DurableObject<Env> {
  readonly #storage: MeterStorage;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#storage = new MeterStorage(state.storage);
  }

  async admit(request: MeterRequest): Promise<MeterVerdict> {
    const nowMs = Date.now();
    // Nothing is awaited between reading the state and writing it: another request would be decided on the same state.
    const { verdict, next } = decideAdmission(this.#storage.readState(), request, nowMs);
    if (next === null) return { ...verdict, accounting: null };
    const dueMs = this.#storage.flushAtMs();
    // A flush that is long overdue is set anew, because an alarm is not certain to fire after an eviction. One that is about to begin is
    // left alone: setting another would cancel it, and so every flush of a user who never pauses.
    const flushAtMs = dueMs > nowMs - LATE_MS ? dueMs : nowMs + restOf(request.accountId);
    this.#storage.writeState(request.accountId, next, flushAtMs);
    const accounting = this.#record(request, dayOf(next.latestMs));
    if (flushAtMs !== dueMs) await this.ctx.storage.setAlarm(flushAtMs);
    return { ...verdict, accounting };
  }

  override async alarm(): Promise<void> {
    const accountId = this.#storage.findAccountId();
    if (accountId === null) return;
    // What is counted from here on asks for the next flush.
    this.#storage.beginFlush();
    try {
      const db = openDatabase(parseConfig(this.env));
      if (!this.#storage.isSeeded()) await seedUsage(this.#storage, db, accountId, Date.now());
      await flushUsage(this.#storage, db, accountId, Date.now());
    } catch (error) {
      consoleLog.warn("usage not flushed", { account_id: accountId, error: describeError(error) });
      await this.ctx.storage.setAlarm(Date.now() + restOf(accountId));
    }
  }

  /** The request has been admitted and counted against its budgets; without a record it is only missing in the usage of its key. */
  #record({ keyId, operation }: MeterRequest, day: string): "persisted" | "failed" {
    try {
      this.#storage.countRequest(day, keyId, operation);
      return "persisted";
    } catch (error) {
      consoleLog.error("request not recorded", { key_id: keyId, operation, error: describeError(error) });
      return "failed";
    }
  }
}

/** Spread by account, so that users who begin together do not flush together. */
function restOf(accountId: number): number {
  return FLUSH_MS + (accountId % 30) * 1_000;
}
