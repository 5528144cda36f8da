/** A row of a file by its columns, in their order. Null is unknown. */
export type FileRow = Readonly<Record<string, string | number | null>>;

export interface SourcePage {
  /** Empty only on a last page. */
  readonly rows: readonly FileRow[];
  /** The position after the page. */
  readonly position: unknown;
  readonly isLast: boolean;
}

/** The rows of a file as of one snapshot, page by page. Equal positions give equal pages. */
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
