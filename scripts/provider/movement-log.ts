import type { Movement, MovementLog } from "./world.ts";

export const NO_MOVEMENTS: readonly Movement[] = [];

/** Block order: time, then sequence. */
export const compareMovements = (a: Movement, b: Movement): number => a.timestamp - b.timestamp || a.sequence - b.sequence;

/** The condition id a movement shows: of its market, or of its combo. */
export const conditionOf = (movement: Movement): string => movement.market?.conditionId ?? movement.combo?.conditionId ?? "";

/** Keeps movements sorted while batches of any age are added. */
export class SortedMovementLog implements MovementLog {
  readonly all: Movement[] = [];
  readonly #byWallet = new Map<string, Movement[]>();
  readonly #byCondition = new Map<string, Movement[]>();

  add(batch: readonly Movement[]): void {
    const touched = new Set<Movement[]>([this.all]);
    for (const movement of batch) {
      this.all.push(movement);
      touched.add(pushTo(this.#byWallet, movement.wallet.address, movement));
      const condition = conditionOf(movement);
      if (condition !== "") touched.add(pushTo(this.#byCondition, condition, movement));
    }
    for (const list of touched) list.sort(compareMovements);
  }

  ofWallet(address: string): readonly Movement[] {
    return this.#byWallet.get(address) ?? NO_MOVEMENTS;
  }

  ofCondition(conditionId: string): readonly Movement[] {
    return this.#byCondition.get(conditionId) ?? NO_MOVEMENTS;
  }
}

function pushTo(index: Map<string, Movement[]>, key: string, movement: Movement): Movement[] {
  const list = index.get(key) ?? [];
  if (list.length === 0) index.set(key, list);
  list.push(movement);
  return list;
}

/** How many movements of a sorted list lie before the first whose (time, sequence) is at or past the given one. */
export function lowerBound(list: readonly Movement[], timestamp: number, sequence: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const movement = list[middle];
    if (movement !== undefined && (movement.timestamp < timestamp || (movement.timestamp === timestamp && movement.sequence < sequence))) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
