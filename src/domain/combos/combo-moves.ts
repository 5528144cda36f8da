import type { LegState } from "./combo-result.ts";

/** A lifecycle event that carries shares from one position to another. */
export type MoveKind = "compress" | "wrap" | "unwrap";

/** A leg as far as it decides where shares go. */
export interface MoveLeg {
  readonly positionId: string;
  readonly state: LegState;
}

export interface MoveCombo {
  readonly conditionId: string;
  readonly legs: readonly MoveLeg[];
}

/** One side of a move: an outcome of a combo, or the position of a single leg. */
export type MoveEnd =
  | { readonly kind: "combo"; readonly conditionId: string; readonly outcomeIndex: 0 | 1 }
  /** The leg's own position, or its complement for shares of the combo's NO. */
  | { readonly kind: "leg"; readonly positionId: string; readonly isComplement: boolean };

export interface Move {
  readonly from: MoveEnd;
  readonly to: MoveEnd;
}

/**
 * From which position to which an event moves shares.
 *
 * WRAP and UNWRAP concern a combo of one leg: its YES is the leg's position and its NO the complement.
 * COMPRESS drops legs that have won, which do not change what a share pays. The event names one combo; the other
 * is the only known combo with the remaining legs (when the event names the one before), or with these legs and
 * won ones (when it names the one after).
 *
 * @param outcomeIndex of the combo's position that the event names
 * @param others the known combos that share a leg with the named one
 * @returns null when the facts do not prove exactly one move
 */
export function readMove(
  kind: MoveKind,
  combo: MoveCombo,
  outcomeIndex: 0 | 1,
  others: readonly MoveCombo[],
): Move | null {
  const own: MoveEnd = { kind: "combo", conditionId: combo.conditionId, outcomeIndex };
  if (kind !== "compress") {
    const [leg, ...rest] = combo.legs;
    if (leg === undefined || rest.length > 0) return null;
    const single: MoveEnd = { kind: "leg", positionId: leg.positionId, isComplement: outcomeIndex === 1 };
    return kind === "wrap" ? { from: single, to: own } : { from: own, to: single };
  }
  const after = others.filter((other) => isCompressionOf(other, combo));
  const before = others.filter((other) => isCompressionOf(combo, other));
  // Only the legs that had won by then are dropped, which the legs' states of today do not show. Two candidates
  // on either side therefore prove nothing.
  const [other, ...more] = [...after, ...before];
  if (other === undefined || more.length > 0) return null;
  const end: MoveEnd = { kind: "combo", conditionId: other.conditionId, outcomeIndex };
  return after.length > 0 ? { from: own, to: end } : { from: end, to: own };
}

/** The first combo has the legs of the second one without some that have won. */
function isCompressionOf(after: MoveCombo, before: MoveCombo): boolean {
  if (after.legs.length === 0 || after.legs.length >= before.legs.length) return false;
  const kept = new Set(after.legs.map(({ positionId }) => positionId));
  const dropped = before.legs.filter(({ positionId }) => !kept.has(positionId));
  return dropped.length + kept.size === before.legs.length && dropped.every(({ state }) => state === "won");
}
