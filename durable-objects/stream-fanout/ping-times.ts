/** A connection whose Worker has sent no ping for so long, three times as long as it waits between two, is gone. */
const PING_TIMEOUT_MS = 90_000;

interface PingTime {
  /** Of the last ping, by the runtime; null before the first. */
  readonly pingMs: number | null;
  /** When the shard noticed it. */
  readonly noticedMs: number;
}

/** When the Workers of a shard's connections last showed that they live. In memory: a restarted shard starts again. */
export class PingTimes<Connection extends object> {
  readonly #times = new WeakMap<Connection, PingTime>();

  /**
   * @param pingMs time of the last ping, Unix milliseconds; null before the first
   * @returns whether no new ping was noticed for 90 seconds
   */
  isSilent(connection: Connection, pingMs: number | null, nowMs: number): boolean {
    const known = this.#times.get(connection);
    if (known === undefined || known.pingMs !== pingMs) {
      this.#times.set(connection, { pingMs, noticedMs: nowMs });
      return false;
    }
    return nowMs - known.noticedMs >= PING_TIMEOUT_MS;
  }
}
