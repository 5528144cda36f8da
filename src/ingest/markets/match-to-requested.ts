import type { QuarantinedRecord } from "../../platform/provider.ts";

export interface MatchedRows<Row> {
  /** The last row of each requested id that the response contains. */
  readonly matched: ReadonlyMap<string, Row>;
  readonly unrequested: readonly QuarantinedRecord[];
}

/**
 * Keeps only rows of the requested ids. The provider silently ignores parameters that it does not understand
 * and returns other rows.
 */
export function matchToRequested<Row>(
  rows: readonly Row[],
  requestedIds: readonly string[],
  idOf: (row: Row) => string,
): MatchedRows<Row> {
  const requested = new Set(requestedIds);
  return {
    matched: new Map(rows.filter((row) => requested.has(idOf(row))).map((row) => [idOf(row), row])),
    unrequested: rows
      .filter((row) => !requested.has(idOf(row)))
      .map((row) => ({ record: row, reason: "its id was not requested" })),
  };
}
