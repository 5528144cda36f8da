import type { Misfit } from "../ports/provider.ts";

export interface MatchedRows<Row> {
  /** The last row of each id that was asked for and came. */
  readonly answers: ReadonlyMap<string, Row>;
  readonly foreign: readonly Misfit[];
}

/** The provider ignores in silence what it does not understand of a question, and answers another one: only what was asked for is believed. */
export function matchToAsked<Row>(rows: readonly Row[], asked: readonly string[], idOf: (row: Row) => string): MatchedRows<Row> {
  const wanted = new Set(asked);
  return {
    answers: new Map(rows.filter((row) => wanted.has(idOf(row))).map((row) => [idOf(row), row])),
    foreign: rows.filter((row) => !wanted.has(idOf(row))).map((row) => ({ record: row, reason: "its id was not asked for" })),
  };
}
