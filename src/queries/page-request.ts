/** One page of a list: the rows after the cursor; null is the first page. */
export interface PageRequest<Cursor> {
  readonly cursor: Cursor | null;
  readonly limit: number;
}
