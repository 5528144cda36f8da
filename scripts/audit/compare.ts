import type { LedgerSnapshot } from "./ledger-mirror.ts";

export interface Difference {
  readonly field: string;
  readonly expected: unknown;
  readonly got: unknown;
}

/** One entity that a response describes: a row, a trader, a market. */
export interface Item {
  readonly id: string;
  readonly differences: readonly Difference[];
}

/** A response, the interval of moments it may show, and how to compare it with one of them. */
export interface ObservedResponse {
  readonly fromMs: number;
  readonly toMs: number;
  judge(moment: LedgerSnapshot): readonly Item[];
}

/** One request to the product. */
export interface Question {
  readonly key: string;
  ask(): Promise<ObservedResponse>;
}

/** Collects the differences of one item. */
export class Comparison {
  readonly #differences: Difference[] = [];
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }

  /** Undefined and null differ: an absent field is not a null. */
  same(field: string, expected: unknown, got: unknown): this {
    return this.holds(field, comparableText(expected) === comparableText(got), expected, got);
  }

  holds(field: string, isRight: boolean, expected: unknown, got: unknown): this {
    if (!isRight) this.#differences.push({ field, expected, got });
    return this;
  }

  item(): Item {
    return { id: this.id, differences: this.#differences };
  }
}

export const comparableText = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? `${inner}` : inner)) ?? "left out";

/** Compares the expected rows with the returned ones. */
export function compareRows<Expected, Got>(
  expected: ReadonlyMap<string, Expected>,
  got: readonly Got[],
  idOf: (row: Got) => string,
  compare: (comparison: Comparison, expected: Expected, got: Got) => void,
): Item[] {
  const seen = new Set<string>();
  const items = got.map((row) => {
    const id = idOf(row);
    const comparison = new Comparison(id);
    const wanted = expected.get(id);
    if (seen.has(id)) comparison.same("row", "once", "more than once");
    else if (wanted === undefined) comparison.same("row", "not listed", "listed");
    else compare(comparison, wanted, row);
    seen.add(id);
    return comparison.item();
  });
  const missing = [...expected.keys()].filter((id) => !seen.has(id));
  return [...items, ...missing.map((id) => new Comparison(id).same("row", "listed", "not listed").item())];
}

export interface ItemVerdict {
  readonly id: string;
  /** Empty when the item is correct at one of the moments. */
  readonly differences: readonly Difference[];
  /** Whether the differences are the same at every moment: then timing is not the cause. */
  readonly isSteady: boolean;
}

/**
 * Compares a response with every moment. An item is correct when it matches at one of them; a moment without
 * the item counts as a match.
 *
 * @param moments at least one
 */
export function judgeAcrossSnapshots(answered: ObservedResponse, moments: readonly LedgerSnapshot[]): ItemVerdict[] {
  const judged = moments.map((moment) => {
    const items = new Map<string, readonly Difference[]>();
    // An id may occur twice; every occurrence has to be correct.
    for (const { id, differences } of answered.judge(moment)) items.set(id, [...(items.get(id) ?? []), ...differences]);
    return items;
  });
  const ids = new Set(judged.flatMap((items) => [...items.keys()]));
  return [...ids].map((id) => {
    const verdicts = judged.map((items) => items.get(id) ?? []);
    if (verdicts.some((differences) => differences.length === 0)) return { id, differences: [], isSteady: true };
    const isSteady = new Set(verdicts.map((differences) => comparableText(differences))).size === 1;
    return { id, differences: verdicts.at(-1) ?? [], isSteady };
  });
}
