/** One page of a file's content. */
export interface SourcePage {
  /** Trades in the page. */
  readonly rows: number;
  /** UTF-8 text; empty only on a last page without content. */
  readonly text: string;
  /** The position after the page. */
  readonly position: unknown;
  readonly isLast: boolean;
}

/** The content of a file as of one snapshot, page by page. Equal positions give equal pages. */
export interface Source {
  /** @param position null for the first page */
  readPage(position: unknown): Promise<SourcePage>;
}

/** The request can never be carried out as it is. The message is for the owner. */
export class JobRefused extends Error {
  override name = "JobRefused";
}

/** The database was restored since the snapshot was selected, so its horizon means nothing any more. */
export class SnapshotLost extends Error {
  override name = "SnapshotLost";
}
