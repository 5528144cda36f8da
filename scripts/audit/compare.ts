import type { Moment } from "./world.ts";

export interface Difference {
  readonly field: string;
  readonly expected: unknown;
  readonly got: unknown;
}

/** One thing that an answer says something of: a row, a wallet, a market. */
export interface Item {
  readonly id: string;
  readonly differences: readonly Difference[];
}

/** An answer, the moments it may be of, and what is wrong with it at one of them. */
export interface Answered {
  readonly fromMs: number;
  readonly toMs: number;
  judge(moment: Moment): readonly Item[];
}

/** A thing to ask the product. */
export interface Question {
  readonly key: string;
  ask(): Promise<Answered>;
}

/** Collects what is wrong with one item. */
export class Comparison {
  readonly #differences: Difference[] = [];
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }

  /** Undefined and null are different: a field that is left out is not a null. */
  same(field: string, expected: unknown, got: unknown): this {
    return this.holds(field, asText(expected) === asText(got), expected, got);
  }

  holds(field: string, isRight: boolean, expected: unknown, got: unknown): this {
    if (!isRight) this.#differences.push({ field, expected, got });
    return this;
  }

  item(): Item {
    return { id: this.id, differences: this.#differences };
  }
}

export const asText = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? `${inner}` : inner)) ?? "left out";

/** Rows that should be there beside those that are. */
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

export interface Judged {
  readonly id: string;
  /** Empty when the item is right at one of the moments. */
  readonly differences: readonly Difference[];
  /** Whether the item was to be the same at every moment: what is wrong then is not a matter of the moment. */
  readonly isSteady: boolean;
}

/** An item is right when it is at one of the moments; an item that a moment does not know is right there. @param moments at least one */
export function judgeOver(answered: Answered, moments: readonly Moment[]): Judged[] {
  const judged = moments.map((moment) => {
    const items = new Map<string, readonly Difference[]>();
    // An id may come twice; everything that is said of it has to be right.
    for (const { id, differences } of answered.judge(moment)) items.set(id, [...(items.get(id) ?? []), ...differences]);
    return items;
  });
  const ids = new Set(judged.flatMap((items) => [...items.keys()]));
  return [...ids].map((id) => {
    const verdicts = judged.map((items) => items.get(id) ?? []);
    if (verdicts.some((differences) => differences.length === 0)) return { id, differences: [], isSteady: true };
    const isSteady = new Set(verdicts.map((differences) => asText(differences))).size === 1;
    return { id, differences: verdicts.at(-1) ?? [], isSteady };
  });
}
