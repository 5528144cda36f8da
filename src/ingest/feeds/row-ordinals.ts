/**
 * A row that can be numbered among equal rows of its transaction. The provider gives rows no id, and two
 * fills can agree in every field, so the n-th equal row of a transaction has ordinal n.
 *
 * Every feed lists the rows of a transaction together, so counting restarts whenever the transaction changes:
 * a page that is served twice, or rows that repeat inside a page, get the same ordinals and change nothing.
 * If a feed separates equal rows, the second counts as a repeat until a later walk shows them together, which
 * corrects itself.
 */
export interface IdentifiedRow {
  readonly txHash: string;
  /** The fields that identify the row inside its transaction. */
  readonly identity: string;
}

/** How often each identity has occurred in the last transaction of a page, for the page that continues it. */
export interface OrdinalCarry {
  readonly txHash: string;
  readonly counts: Readonly<Record<string, number>>;
}

export interface NumberedRow<Row> {
  readonly row: Row;
  readonly ordinal: number;
}

/**
 * @param carry from the previous page of the same walk; it counts only if this page continues that
 *   transaction
 */
export function numberRows<Row extends IdentifiedRow>(
  rows: readonly Row[],
  carry: OrdinalCarry | null,
): { rows: NumberedRow<Row>[]; carry: OrdinalCarry | null } {
  let txHash = carry?.txHash ?? null;
  let counts: Record<string, number> = { ...carry?.counts };
  const numbered = rows.map((row) => {
    if (row.txHash !== txHash) {
      txHash = row.txHash;
      counts = {};
    }
    const ordinal = counts[row.identity] ?? 0;
    counts[row.identity] = ordinal + 1;
    return { row, ordinal };
  });
  return { rows: numbered, carry: txHash === null ? null : { txHash, counts } };
}
