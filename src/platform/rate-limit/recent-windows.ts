import { LRUCache } from "lru-cache";
import type { IpVerdict } from "./ip-budget.ts";

/** Age from which a request waits for the window. */
const MAX_AGE_MS = 5_000;
/** Requests that Redis has not counted, from which one waits. */
const MAX_OWED = 100;
/** The part of the limit that has to be left. Close to the limit each request waits for its count. */
const MARGIN = 1 / 4;
/** Longer than a call to Redis takes. A settlement whose request was cancelled ends with it. */
const SETTLING_MS = 2_000;
const MAX_ADDRESSES = 10_000;

/** An address as Redis counted it last. */
interface View {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAtMs: number;
  readonly readAtMs: number;
}

interface Address {
  view: View;
  /** Admitted requests that Redis has not counted. */
  owed: number;
  /** Requests that are being counted. */
  counting: number;
  /** Until then a settlement is on its way. */
  settlingUntilMs: number;
}

/**
 * Counts requests of an address.
 *
 * @returns null while Redis is unavailable: the isolate's own window has counted them
 */
type Count = (requests: number) => Promise<IpVerdict | null>;

/**
 * What an isolate knows of addresses that are far from their limit. Their requests do not wait for Redis and are counted
 * in the background, many in one call.
 *
 * An isolate so admits at most MAX_OWED requests that Redis has not counted, and only while a quarter of the limit
 * was left at its last look, at most MAX_AGE_MS ago.
 */
export class RecentWindows {
  readonly #addresses = new LRUCache<string, Address>({ max: MAX_ADDRESSES });
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Remembers what Redis counted. A refused address is forgotten: its next request waits. */
  remember(address: string, { refusedBy, limit, remaining, resetAtMs }: IpVerdict): void {
    if (refusedBy !== null) return void this.#addresses.delete(address);
    const view = { limit, remaining, resetAtMs, readAtMs: this.#now() };
    const known = this.#addresses.get(address);
    if (known === undefined) this.#addresses.set(address, { view, owed: 0, counting: 0, settlingUntilMs: 0 });
    else known.view = view;
  }

  /** @returns null when the request has to wait for its count */
  admit(address: string, count: Count, waitUntil: (work: Promise<unknown>) => void): IpVerdict | null {
    const nowMs = this.#now();
    const known = this.#addresses.get(address);
    if (known === undefined) return null;
    const { view, owed, counting } = known;
    const left = view.remaining - owed - counting - 1;
    if (owed + counting >= MAX_OWED || left < view.limit * MARGIN) return null;
    if (nowMs >= Math.min(view.resetAtMs, view.readAtMs + MAX_AGE_MS)) return null;
    known.owed += 1;
    if (nowMs >= known.settlingUntilMs) waitUntil(this.#settle(address, known, count));
    return { refusedBy: null, retryAtMs: null, limit: view.limit, remaining: left, resetAtMs: view.resetAtMs };
  }

  /**
   * Forgets an address, for a request that waits for its count. Later ones wait too, until Redis has counted.
   *
   * @returns the requests that nothing counts yet, to be counted with the request
   */
  takeOwed(address: string): number {
    const known = this.#addresses.get(address);
    if (known === undefined) return 0;
    this.#addresses.delete(address);
    const { owed } = known;
    known.owed = 0;
    return owed;
  }

  /** Counts what is owed, also by requests that arrive meanwhile. Never rejects. */
  async #settle(address: string, known: Address, count: Count): Promise<void> {
    while (known.owed > 0) {
      known.settlingUntilMs = this.#now() + SETTLING_MS;
      known.counting = known.owed;
      known.owed = 0;
      const verdict = await count(known.counting);
      known.counting = 0;
      // A request that waited knows more.
      if (this.#addresses.get(address) !== known) continue;
      if (verdict === null) this.#addresses.delete(address);
      else this.remember(address, verdict);
    }
    known.settlingUntilMs = 0;
  }
}
