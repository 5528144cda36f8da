import type { ActivityRecord } from "../../../provider/provider-world.ts";
import { executionOf } from "./live-trades.ts";
import { visibleAtMs } from "./live-world.ts";
import { ROWS_OF_EXECUTION } from "./trade-schedule.ts";

export interface ProviderObservations {
  /** When each row was sent in a page of a feed for the first time, epoch ms, by `rowNumber`; null for none. */
  readonly sentAtMs: readonly (number | null)[];
  /** For each row of a trader whose activity was read afterwards: the trader, and the time from its visibility on, ms. */
  readonly followedUp: readonly (readonly [address: string, lagMs: number])[];
  /** Traders with rows that no read of their activity has covered, and since when the oldest is visible, epoch ms. */
  readonly waiting: readonly (readonly [address: string, sinceMs: number])[];
}

/** The number of a row of the feed. */
export const rowNumber = (execution: number, role: "taker" | "maker"): number =>
  ROWS_OF_EXECUTION * execution + (role === "taker" ? 0 : 1);

/** What the provider sees of the product: which rows it was sent, and when it asked for a trader's activity. */
export class ObservedTrades {
  readonly #sentAtMs: (number | null)[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #waiting = new Map<string, number[]>();
  readonly #followedUp: [string, number][] = [];

  add(record: ActivityRecord): void {
    const { transactionHash, wallet, role, timestamp } = record;
    const number = rowNumber(executionOf(transactionHash), role ?? "taker");
    this.#sentAtMs[number] = null;
    this.#numbers.set(`${transactionHash} ${wallet.address}`, number);
    const times = this.#waiting.get(wallet.address);
    if (times === undefined) this.#waiting.set(wallet.address, [visibleAtMs(timestamp)]);
    else times.push(visibleAtMs(timestamp));
  }

  /** The rows of a page of a feed have left. */
  sent(rows: readonly { readonly transaction_hash: string; readonly proxy_wallet: string }[], atMs: number): void {
    for (const row of rows) {
      const number = this.#numbers.get(`${row.transaction_hash} ${row.proxy_wallet}`);
      if (number !== undefined) this.#sentAtMs[number] ??= atMs;
    }
  }

  /** The last page of a trader's activity has left, with every row that was visible. */
  readActivity(address: string, atMs: number): void {
    const times = this.#waiting.get(address) ?? [];
    for (const since of times.filter((time) => time <= atMs)) this.#followedUp.push([address, atMs - since]);
    const left = times.filter((time) => time > atMs);
    if (left.length === 0) this.#waiting.delete(address);
    else this.#waiting.set(address, left);
  }

  read(): ProviderObservations {
    return {
      sentAtMs: this.#sentAtMs,
      followedUp: this.#followedUp,
      waiting: [...this.#waiting].map(([address, times]) => [address, Math.min(...times)] as const),
    };
  }
}
