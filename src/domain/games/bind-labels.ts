/** One side of a game, as far as a label can name it. */
export interface NamedSide {
  readonly name: string;
  readonly abbreviation: string | null;
}

export type BindingProvenance = "exact_labels" | "containment_labels" | "elimination";

/** Which side each of two labels names, by index. */
export type LabelBinding =
  | {
      readonly kind: "bound";
      readonly sides: readonly [0, 1] | readonly [1, 0];
      readonly provenance: BindingProvenance;
    }
  | { readonly kind: "unavailable" }
  | { readonly kind: "ambiguous" };

/** Labels that name no side, so that the other label does not give one to them. */
const GENERIC = new Set(["yes", "no", "draw", "tie", "over", "under", "other", "field", "neither"]);

/**
 * Binds the two outcome labels of a market to the two sides of its game. Exact names come first (a name or its
 * abbreviation), then a label that is part of a name or contains it, then the one side that is left.
 */
export function bindLabels(
  labels: readonly [string, string],
  competitors: readonly [NamedSide, NamedSide],
): LabelBinding {
  const exact = labels.map((label) => namedBy(label, competitors, isExact));
  if (exact.some((sides) => sides.length > 1)) return { kind: "ambiguous" };
  const known = exact.map((sides, index) =>
    sides.length > 0 ? sides : namedBy(labels[index] ?? "", competitors, isContained),
  );
  if (known.some((sides) => sides.length > 1)) return { kind: "ambiguous" };
  const [[first] = [], [second] = []] = known;
  if (first === undefined && second === undefined) return { kind: "unavailable" };
  if (first !== undefined && second !== undefined) {
    if (first === second) return { kind: "ambiguous" };
    const provenance = exact.every((sides) => sides.length === 1) ? "exact_labels" : "containment_labels";
    return { kind: "bound", sides: first === 0 ? [0, 1] : [1, 0], provenance };
  }
  const unbound = first === undefined ? labels[0] : labels[1];
  if (GENERIC.has(wordsOf(unbound).join(" "))) return { kind: "unavailable" };
  const isInOrder = first === 0 || second === 1;
  return { kind: "bound", sides: isInOrder ? [0, 1] : [1, 0], provenance: "elimination" };
}

/** The index of the one side that a text names; null when it names none or both. */
export function findNamedSide(text: string, competitors: readonly NamedSide[]): number | null {
  const exact = namedBy(text, competitors, isExact);
  const sides = exact.length > 0 ? exact : namedBy(text, competitors, isContained);
  return sides.length === 1 ? (sides[0] ?? null) : null;
}

type Matches = (label: readonly string[], side: NamedSide) => boolean;

function namedBy(label: string, competitors: readonly NamedSide[], matches: Matches): number[] {
  const words = wordsOf(label);
  if (words.length === 0) return [];
  return competitors.flatMap((side, index) => (matches(words, side) ? [index] : []));
}

const isExact: Matches = (label, side) =>
  label.join(" ") === wordsOf(side.name).join(" ") ||
  (side.abbreviation !== null && label.join(" ") === wordsOf(side.abbreviation).join(" "));

const isContained: Matches = (label, side) => {
  const name = wordsOf(side.name);
  return name.length > 0 && (contains(name, label) || contains(label, name));
};

/** Whether whole words of a text follow each other as in the part. */
const contains = (text: readonly string[], part: readonly string[]): boolean =>
  ` ${text.join(" ")} `.includes(` ${part.join(" ")} `);

/** Words without case, accents and punctuation. */
const wordsOf = (text: string): string[] =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
