import type { LegState } from "./combo-result.ts";

/** A lifecycle event that carries shares from one position to another. */
export type MoveKind = "compress" | "wrap" | "unwrap";

/** A leg as far as it decides where shares go. */
export interface MoveLeg {
  readonly positionId: string;
  readonly state: LegState;
  /** When the leg's market was resolved; null while it is not, or when the provider gives no time. */
  readonly resolvedAtMs: number | null;
}

export interface MoveCombo {
  readonly conditionId: string;
  /** Whether the trader has ledger entries in it. */
  readonly isTraded: boolean;
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
 * COMPRESS drops the legs that are resolved at its time. Only won ones do not change what a share pays. The event
 * names one combo; the other is the only known combo with exactly the remaining legs (when the event names the one
 * before), or the only one of the trader from which such a compress leads to the named one.
 *
 * @param outcomeIndex of the combo's position that the event names
 * @param others the known combos that share a leg with the named one
 * @returns null when the facts do not prove exactly one move
 */
export function readMove(
  { kind, outcomeIndex, atMs }: { readonly kind: MoveKind; readonly outcomeIndex: 0 | 1; readonly atMs: number },
  combo: MoveCombo,
  others: readonly MoveCombo[],
): Move | null {
  const own: MoveEnd = { kind: "combo", conditionId: combo.conditionId, outcomeIndex };
  if (kind !== "compress") {
    const [leg, ...rest] = combo.legs;
    if (leg === undefined || rest.length > 0) return null;
    const single: MoveEnd = { kind: "leg", positionId: leg.positionId, isComplement: outcomeIndex === 1 };
    return kind === "wrap" ? { from: single, to: own } : { from: own, to: single };
  }
  const after = combo.isTraded ? others.filter((other) => isCompression(combo, other, atMs)) : [];
  const before = others.filter((other) => other.isTraded && isCompression(other, combo, atMs));
  const [other, ...more] = [...after, ...before];
  if (other === undefined || more.length > 0) return null;
  const end: MoveEnd = { kind: "combo", conditionId: other.conditionId, outcomeIndex };
  return after.length > 0 ? { from: own, to: end } : { from: end, to: own };
}

/** A compress at this time leads from the first combo to the second: it drops all resolved legs, and they had won. */
function isCompression(before: MoveCombo, after: MoveCombo, atMs: number): boolean {
  const isResolved = ({ resolvedAtMs }: MoveLeg) => resolvedAtMs !== null && resolvedAtMs <= atMs;
  const dropped = before.legs.filter(isResolved);
  const kept = new Set(before.legs.filter((leg) => !isResolved(leg)).map(({ positionId }) => positionId));
  return (
    dropped.length > 0 &&
    kept.size > 0 &&
    dropped.every(({ state }) => state === "won") &&
    after.legs.length === kept.size &&
    after.legs.every(({ positionId }) => kept.has(positionId))
  );
}
