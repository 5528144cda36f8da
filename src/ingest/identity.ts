/**
 * Tells equal rows of one transaction apart. The provider gives rows no id, and two fills can agree in every field, so the n-th equal row
 * of a transaction has ordinal n.
 *
 * Rows of a transaction stand together in every feed, so counting restarts whenever the transaction changes: a page served twice, or rows
 * repeated inside a page, are numbered the same again and change nothing. Should a feed tear equal rows apart, the second is taken for
 * a repeat until a later walk shows them together; that errs on the side that heals.
 */
export interface Identified {
  readonly txHash: string;
  /** The fields that name the row inside its transaction. */
  readonly identity: string;
}

/** How often each identity has occurred in the transaction a page ended with, for the page that continues it. */
export interface Carry {
  readonly txHash: string;
  readonly counts: Readonly<Record<string, number>>;
}

export interface Numbered<Row> {
  readonly row: Row;
  readonly ordinal: number;
}

/** @param carry from the page before in the same walk; it counts only if this page goes on with that transaction */
export function numberRows<Row extends Identified>(
  rows: readonly Row[],
  carry: Carry | null,
): { rows: Numbered<Row>[]; carry: Carry | null } {
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
