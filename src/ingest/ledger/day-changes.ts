import { DAY_MS } from "../../scoring/utc-calendar.ts";

/** The UTC day of an instant in epoch milliseconds, counted from 1970-01-01. */
export const utcDay = (ms: number): number => Math.floor(ms / DAY_MS);

/** The change of one trader's figures of one UTC day. Amounts are micro-dollars. */
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

/** Collects the changes of a page, one per trader and day. */
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

  /** The changes that are not zero in every field. */
  list(): DayChange[] {
    return [...this.#changes.values()].filter(
      ({ realizedMicro, settledMicro, feesMicro, volumeMicro, entryCount }) =>
        realizedMicro !== 0n || settledMicro !== 0n || feesMicro !== 0n || volumeMicro !== 0n || entryCount !== 0,
    );
  }
}
