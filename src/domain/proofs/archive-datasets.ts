/**
 * How a column is stored in Parquet. In a row's leaf every value is text or null: `integer` as plain digits,
 * `instant` as `2026-11-22T10:00:00.000000Z`, `float` as ECMAScript writes the number, `text` as it is.
 */
type ColumnKind = "integer" | "instant" | "float" | "text";

export interface ArchiveColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly isNullable?: true;
  /** Readers look rows up by it: the file has bloom filters for it. */
  readonly isLookedUp?: true;
}

export interface ArchiveDataset {
  readonly columns: readonly ArchiveColumn[];
  /** Rows of a file are sorted by these columns, so that equal values are next to each other. */
  readonly sortedBy: readonly string[];
}

const column = (name: string, kind: ColumnKind): ArchiveColumn => ({ name, kind });
const nullable = (name: string, kind: ColumnKind): ArchiveColumn => ({ name, kind, isNullable: true });
const lookedUp = (name: string): ArchiveColumn => ({ name, kind: "text", isLookedUp: true });
/** The first columns of every dataset. Their order is the order of the leaves. */
const IDENTITY = [column("recorded_at", "instant"), column("id", "integer")];

/**
 * The datasets of the archive. They have only facts that never change once a row is recorded. What becomes
 * known later (fees, the role of a fill, titles, suspicion scores) is left out.
 */
export const ARCHIVE_DATASETS = {
  fills: {
    columns: [
      ...IDENTITY,
      column("traded_at", "instant"),
      column("tx_hash", "text"),
      column("ordinal", "integer"),
      lookedUp("wallet"),
      lookedUp("condition_id"),
      lookedUp("token_id"),
      column("side", "text"),
      column("shares_micro", "integer"),
      column("usd_micro", "integer"),
      column("price", "text"),
    ],
    sortedBy: ["wallet", "traded_at"],
  },
  large_trades: {
    columns: [
      ...IDENTITY,
      column("fill_id", "integer"),
      column("traded_at", "instant"),
      lookedUp("wallet"),
      lookedUp("condition_id"),
      lookedUp("token_id"),
      column("side", "text"),
      column("shares_micro", "integer"),
      column("usd_micro", "integer"),
      column("price", "text"),
      nullable("grade_at_trade", "text"),
      column("grade_at_trade_status", "text"),
    ],
    sortedBy: ["wallet", "traded_at"],
  },
  resolutions: {
    columns: [
      ...IDENTITY,
      lookedUp("condition_id"),
      nullable("status", "text"),
      nullable("payouts_ppm", "text"),
      nullable("resolved_at", "instant"),
    ],
    sortedBy: ["condition_id"],
  },
  grade_changes: {
    columns: [
      ...IDENTITY,
      lookedUp("wallet"),
      column("valid_from", "instant"),
      column("method_version", "text"),
      nullable("grade", "text"),
      nullable("score", "float"),
      nullable("ungraded_reason", "text"),
      column("input_hash", "text"),
    ],
    sortedBy: ["wallet"],
  },
  pick_commitments: {
    columns: [
      ...IDENTITY,
      column("pick_date", "text"),
      column("pick_rank", "integer"),
      column("commitment_hash", "text"),
    ],
    sortedBy: [],
  },
  pick_openings: {
    columns: [...IDENTITY, column("commitment_hash", "text"), column("payload", "text"), column("nonce", "text")],
    sortedBy: [],
  },
} as const satisfies Readonly<Record<string, ArchiveDataset>>;

export type ArchiveDatasetName = keyof typeof ARCHIVE_DATASETS;

export const ARCHIVE_DATASET_NAMES = Object.keys(ARCHIVE_DATASETS) as ArchiveDatasetName[];

/** A row in the order of its dataset's columns. */
export type ArchiveRow = readonly (string | null)[];
