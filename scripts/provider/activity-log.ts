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
    const unsorted = new Set<ActivityRecord[]>();
    for (const movement of batch) {
      const lists = [this.all, listOf(this.#byWallet, movement.wallet.address)];
      const condition = conditionIdOf(movement);
      if (condition !== "") lists.push(listOf(this.#byCondition, condition));
      for (const list of lists) {
        const last = list.at(-1);
        // Most batches are the newest: nothing is sorted then, however long the lists are.
        if (last !== undefined && compareActivity(last, movement) > 0) unsorted.add(list);
        list.push(movement);
      }
    }
    for (const list of unsorted) list.sort(compareActivity);
  }

  ofWallet(address: string): readonly ActivityRecord[] {
    return this.#byWallet.get(address) ?? NO_ACTIVITY;
  }

  ofCondition(conditionId: string): readonly ActivityRecord[] {
    return this.#byCondition.get(conditionId) ?? NO_ACTIVITY;
  }
}

function listOf(index: Map<string, ActivityRecord[]>, key: string): ActivityRecord[] {
  const list = index.get(key) ?? [];
  if (list.length === 0) index.set(key, list);
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
