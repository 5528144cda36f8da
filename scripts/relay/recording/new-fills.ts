import { LRUCache } from "lru-cache";
import type { FillRow } from "./responses.ts";

/** Hours of the provider's trades. Rows that were forgotten are recorded again, which changes no replay. */
const REMEMBERED_ROWS = 300_000;
const REMEMBERED_WALKS = 1_000;

export interface NewFill {
  readonly row: FillRow;
  /** 0 for the first of equal rows of a walk, 1 for the second: they are different fills of one transaction. */
  readonly ordinal: number;
}

export interface Page {
  /** Null for the first page of a walk. */
  readonly cursor: string | null;
  readonly nextCursor: string | null;
  readonly rows: readonly FillRow[];
}

/**
 * Finds the rows of polled pages that were not recorded. Walks overlap: the same fill is in many of them. Equal rows
 * of one walk follow each other, so that only those of the page before count.
 */
export class NewFills {
  /** Recorded rows of each identity. */
  readonly #recorded = new LRUCache<string, number>({ max: REMEMBERED_ROWS });
  /** The rows of the last page of a walk, by the cursor of its next page. */
  readonly #walks = new LRUCache<string, ReadonlyMap<string, number>>({ max: REMEMBERED_WALKS });

  /** @returns the new rows, and a function to call once they are stored: until then they are new */
  take({ cursor, nextCursor, rows }: Page): { fills: NewFill[]; commit(): void } {
    const before = cursor === null ? undefined : this.#walks.get(cursor);
    const counts = new Map<string, number>();
    const fills = rows.flatMap((row): NewFill[] => {
      const identity = identityOf(row);
      const ordinal = counts.get(identity) ?? before?.get(identity) ?? 0;
      counts.set(identity, ordinal + 1);
      return ordinal >= (this.#recorded.get(identity) ?? 0) ? [{ row, ordinal }] : [];
    });
    return {
      fills,
      commit: () => {
        for (const { row, ordinal } of fills) this.#recorded.set(identityOf(row), ordinal + 1);
        if (nextCursor !== null) this.#walks.set(nextCursor, counts);
      },
    };
  }
}

/** Names and pictures of the same fill change, the price is derived. */
const identityOf = (row: FillRow): string =>
  [
    ...[row.transaction_hash, row.proxy_wallet, row.condition_id, row.token_id],
    ...[row.type, row.side, row.size, row.timestamp],
  ].join(" ");
