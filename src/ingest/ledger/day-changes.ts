const DAY_MS = 86_400_000;

/** The UTC day of an instant, counted from 1970-01-01. */
export const utcDay = (ms: number): number => Math.floor(ms / DAY_MS);

/** What one wallet's figures of one UTC day change by, in micro-dollars. */
export interface DayChange {
  readonly traderId: number;
  readonly day: number;
  realizedMicro: bigint;
  settledMicro: bigint;
  feesMicro: bigint;
  volumeMicro: bigint;
  entryCount: number;
}

type Amounts = Partial<Omit<DayChange, "traderId" | "day">>;

/** Gathers the changes of a page, one a wallet and day. */
export class DayChanges {
  readonly #changes = new Map<string, DayChange>();

  add(traderId: number, day: number, amounts: Amounts): void {
    const key = `${traderId}:${day}`;
    let change = this.#changes.get(key);
    if (change === undefined) {
      change = { traderId, day, realizedMicro: 0n, settledMicro: 0n, feesMicro: 0n, volumeMicro: 0n, entryCount: 0 };
      this.#changes.set(key, change);
    }
    change.realizedMicro += amounts.realizedMicro ?? 0n;
    change.settledMicro += amounts.settledMicro ?? 0n;
    change.feesMicro += amounts.feesMicro ?? 0n;
    change.volumeMicro += amounts.volumeMicro ?? 0n;
    change.entryCount += amounts.entryCount ?? 0;
  }

  /** Those that change anything. */
  list(): DayChange[] {
    return [...this.#changes.values()].filter(
      ({ realizedMicro, settledMicro, feesMicro, volumeMicro, entryCount }) =>
        realizedMicro !== 0n || settledMicro !== 0n || feesMicro !== 0n || volumeMicro !== 0n || entryCount !== 0,
    );
  }
}
