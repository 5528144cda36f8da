import type { ActivityRecord, ActivityLog } from "./provider-world.ts";

export const NO_ACTIVITY: readonly ActivityRecord[] = [];

/** Block order: time, then sequence. */
export const compareActivity = (a: ActivityRecord, b: ActivityRecord): number =>
  a.timestamp - b.timestamp || a.sequence - b.sequence;

/** The condition id of an activity record: that of its market or of its combination. */
export const conditionIdOf = (movement: ActivityRecord): string =>
  movement.market?.conditionId ?? movement.combo?.conditionId ?? "";

/** Keeps activity records sorted when batches of any age are added. */
export class SortedActivityLog implements ActivityLog {
  readonly all: ActivityRecord[] = [];
  readonly #byWallet = new Map<string, ActivityRecord[]>();
  readonly #byCondition = new Map<string, ActivityRecord[]>();

  add(batch: readonly ActivityRecord[]): void {
    const touched = new Set<ActivityRecord[]>([this.all]);
    for (const movement of batch) {
      this.all.push(movement);
      touched.add(pushTo(this.#byWallet, movement.wallet.address, movement));
      const condition = conditionIdOf(movement);
      if (condition !== "") touched.add(pushTo(this.#byCondition, condition, movement));
    }
    for (const list of touched) list.sort(compareActivity);
  }

  ofWallet(address: string): readonly ActivityRecord[] {
    return this.#byWallet.get(address) ?? NO_ACTIVITY;
  }

  ofCondition(conditionId: string): readonly ActivityRecord[] {
    return this.#byCondition.get(conditionId) ?? NO_ACTIVITY;
  }
}

function pushTo(index: Map<string, ActivityRecord[]>, key: string, movement: ActivityRecord): ActivityRecord[] {
  const list = index.get(key) ?? [];
  if (list.length === 0) index.set(key, list);
  list.push(movement);
  return list;
}

/** How many records of a sorted list come before the first one at or after (timestamp, sequence). */
export function lowerBound(list: readonly ActivityRecord[], timestamp: number, sequence: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const movement = list[middle];
    if (
      movement !== undefined &&
      (movement.timestamp < timestamp || (movement.timestamp === timestamp && movement.sequence < sequence))
    ) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
