import type { AccessCheck, AccessDecision, AccessRefusal } from "../../src/domain/accounts/decide-access.ts";
import type { Clock } from "../../src/lib/timing/clock.ts";
import { afterOf, withTimeout } from "../../src/lib/timing/with-timeout.ts";
import { consoleLog, describeError } from "../../src/platform/log/console-log.ts";
import { CHECK_INTERVAL_MS, CHECK_RETRY_MS, CHECK_TIMEOUT_MS } from "../../src/stream/access-timing.ts";
import type { Subscription } from "../../src/stream/stream-messages.ts";
import { decideFirstDue, decideNextRun, listDueAccounts } from "./access-schedule.ts";

/** Maximum number of accounts in check at a time: meters that do not respond must not delay the others by much. */
const MAX_CONCURRENT = 64;

interface CheckedConnection {
  readonly accountId: number;
  readonly check: AccessCheck;
  dueMs: number;
}

export interface AccessChecksOptions<Socket> {
  /** @returns a decision for each check, in order; null where it could not be made. @throws when the meter is away */
  readonly authorizeAll: (accountId: number, checks: readonly AccessCheck[]) => Promise<(AccessDecision | null)[]>;
  /** @param checkedMs when the check began */
  readonly onConfirmed: (socket: Socket, checkedMs: number) => void;
  readonly onRefused: (socket: Socket, reason: AccessRefusal) => void;
  readonly clock: Pick<Clock, "now" | "wait">;
  readonly random: () => number;
}

/**
 * Checks the access of the connections of a shard: the meter of each account is asked once in 30 seconds about all its
 * connections. A check that fails changes nothing and is repeated after 10 seconds; the Workers end streams that were not
 * confirmed for too long.
 */
export class AccessChecks<Socket> {
  readonly #options: AccessChecksOptions<Socket>;
  readonly #connections = new Map<Socket, CheckedConnection>();
  readonly #socketsOf = new Map<number, Set<Socket>>();
  /** Accounts that wait for their check, and those in check. */
  readonly #queue: number[] = [];
  readonly #pending = new Set<number>();
  #running = 0;
  #lastRunMs = 0;

  constructor(options: AccessChecksOptions<Socket>) {
    this.#options = options;
  }

  /**
   * Adds a connection, unless its Worker checks it.
   *
   * @param storedDueMs when it was due before the object was evicted; null for a new connection
   */
  add(socket: Socket, { accountId, access }: Subscription, storedDueMs: number | null): void {
    if (access === undefined) return;
    const { clock, random } = this.#options;
    const others = this.#connectionsOf(accountId).map(([, connection]) => connection.dueMs);
    const accountDueMs = others.length === 0 ? null : Math.min(...others);
    const dueMs = storedDueMs ?? decideFirstDue(access.checkedMs, accountDueMs, clock.now(), random);
    const { hash, requirement } = access;
    this.#connections.set(socket, { accountId, check: { hash, requirement }, dueMs });
    const sockets = this.#socketsOf.get(accountId) ?? new Set();
    this.#socketsOf.set(accountId, sockets.add(socket));
  }

  remove(socket: Socket): void {
    const accountId = this.#connections.get(socket)?.accountId;
    if (accountId === undefined) return;
    this.#connections.delete(socket);
    const sockets = this.#socketsOf.get(accountId);
    sockets?.delete(socket);
    if (sockets?.size === 0) this.#socketsOf.delete(accountId);
  }

  /** When the access of a connection is due; undefined when its Worker checks it. */
  dueMsOf(socket: Socket): number | undefined {
    return this.#connections.get(socket)?.dueMs;
  }

  /** When `run` is due; null without connections. */
  nextRunMs(): number | null {
    return decideNextRun(this.#connections.values(), this.#lastRunMs);
  }

  /** Runs the checks that are due. Never rejects. */
  async run(): Promise<void> {
    const nowMs = this.#options.clock.now();
    this.#lastRunMs = nowMs;
    for (const accountId of listDueAccounts(this.#connections.values(), nowMs)) {
      // The next run must not come for accounts that wait.
      for (const [, connection] of this.#connectionsOf(accountId)) connection.dueMs = nowMs + CHECK_RETRY_MS;
      if (this.#pending.has(accountId)) continue;
      this.#pending.add(accountId);
      this.#queue.push(accountId);
    }
    const free = Math.min(MAX_CONCURRENT - this.#running, this.#queue.length);
    await Promise.all(Array.from({ length: free }, () => this.#checkQueued()));
  }

  async #checkQueued(): Promise<void> {
    this.#running += 1;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      await this.#check(next);
      this.#pending.delete(next);
    }
    this.#running -= 1;
  }

  async #check(accountId: number): Promise<void> {
    const { authorizeAll, clock } = this.#options;
    const checkedMs = clock.now();
    const connections = this.#connectionsOf(accountId);
    const checks = new Map(connections.map(([, { check }]) => [JSON.stringify(check), check]));
    if (checks.size === 0) return;
    for (const [, connection] of connections) connection.dueMs = checkedMs + CHECK_RETRY_MS;
    try {
      const answer = authorizeAll(accountId, [...checks.values()]);
      const decisions = await withTimeout(answer, CHECK_TIMEOUT_MS, undefined, afterOf(clock));
      const decisionOf = new Map([...checks.keys()].map((key, index) => [key, decisions[index] ?? null]));
      for (const [socket, connection] of connections)
        this.#apply(socket, connection, decisionOf.get(JSON.stringify(connection.check)) ?? null, checkedMs);
    } catch (error) {
      consoleLog.warn("stream.access_check_failed", { account_id: accountId, error: describeError(error) });
    }
  }

  #apply(socket: Socket, connection: CheckedConnection, decision: AccessDecision | null, checkedMs: number): void {
    // Gone, or joined again, during the check.
    if (decision === null || this.#connections.get(socket) !== connection) return;
    if (decision.kind === "refused") return this.#options.onRefused(socket, decision.reason);
    connection.dueMs = checkedMs + CHECK_INTERVAL_MS;
    this.#options.onConfirmed(socket, checkedMs);
  }

  #connectionsOf(accountId: number): [Socket, CheckedConnection][] {
    return [...(this.#socketsOf.get(accountId) ?? [])].flatMap((socket) => {
      const connection = this.#connections.get(socket);
      return connection === undefined ? [] : [[socket, connection]];
    });
  }
}
