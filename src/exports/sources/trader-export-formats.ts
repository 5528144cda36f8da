import { z } from "zod";
import { csvCell, CSV_START, csvRecord, csvTime } from "../../domain/exports/csv.ts";
import type { ExportFormat, TextExportFormat } from "../../domain/exports/export-job.ts";
import { EXPORT_SCHEMA_VERSIONS } from "../../domain/exports/file-formats.ts";
import { formatId } from "../../domain/ids.ts";
import { formatMicro } from "../../domain/money.ts";
import type { ParquetColumn } from "../../lib/parquet/parquet-columns.ts";
import type { ParquetMetadata } from "../../lib/parquet/resumable-parquet.ts";
import { ndjson, type TextFormat } from "../artifact/file-encoder.ts";
import { jsonRows } from "../artifact/json-rows.ts";
import type { FileRow } from "./source.ts";

/** What an export says of its trader and its snapshot. */
export interface ExportHead {
  readonly trader: { readonly id: number; readonly address: string; readonly username: string | null };
  readonly generationId: string;
  /** ISO, UTC. */
  readonly selectedAt: string;
  /** How far the trader's history is known, as `traderCompleteness` says. */
  readonly completeness: { readonly status: string; readonly detail: string | null };
  /** When its activity was last read to its end; null before the first time. */
  readonly syncedAt: string | null;
  readonly rows: number;
  /** UTC date of the first trade; null without one. */
  readonly firstDay: string | null;
}

export const TradeRow = z.object({
  id: z.number().int(),
  traded_at: z.string(),
  kind: z.enum(["buy", "sell"]),
  condition_id: z.string(),
  title: z.string().nullable(),
  slug: z.string().nullable(),
  outcome_index: z.number().int().nullable(),
  label: z.string().nullable(),
  token_id: z.string(),
  shares_micro: z.bigint(),
  usd_micro: z.bigint(),
  fee_micro: z.string().nullable(),
  price: z.string(),
  role: z.string().nullable(),
  tx_hash: z.string(),
});

export type TradeRow = z.output<typeof TradeRow>;

/** One trade of a JSON or NDJSON export. Amounts are exact decimals; null is unknown. */
export const presentTrade = (row: TradeRow): FileRow => ({
  id: formatId("positionEvent", row.id),
  traded_at: row.traded_at,
  side: row.kind === "buy" ? "BUY" : "SELL",
  condition_id: row.condition_id,
  market_title: row.title,
  market_slug: row.slug,
  outcome_index: row.outcome_index,
  outcome: row.label,
  token_id: row.token_id,
  shares: formatMicro(row.shares_micro),
  price: row.price,
  size_usd: formatMicro(row.usd_micro),
  fee_usd: row.fee_micro === null ? null : formatMicro(BigInt(row.fee_micro)),
  role: row.role,
  tx_hash: row.tx_hash,
});

/** The columns of a CSV file from those of a trade. The long token id is left out: a spreadsheet would round it. */
const CSV_COLUMNS: Readonly<Record<string, (trade: FileRow) => string | number | null>> = {
  id: ({ id = null }) => id,
  traded_at_utc: ({ traded_at }) => csvTime(String(traded_at)),
  ...Object.fromEntries(
    [
      ...["side", "condition_id", "market_title", "market_slug", "outcome_index", "outcome", "shares", "price"],
      ...["size_usd", "fee_usd", "role", "tx_hash"],
    ].map((name) => [name, (trade: FileRow) => trade[name] ?? null]),
  ),
};

const CSV_HEADER = [...Object.keys(CSV_COLUMNS), "generation_id", "generation_selected_at_utc"];

export function textFormatOf(format: TextExportFormat, head: ExportHead): TextFormat {
  switch (format) {
    case "json": {
      const json = jsonRows(EXPORT_COLUMNS.map(({ name }) => name));
      return {
        start: `${JSON.stringify(presentHead(format, head)).slice(0, -1)},"trades":[`,
        end: "\n]}\n",
        row: (trade, isFirst) => {
          const { text, leaf } = json(trade);
          return { text: `${isFirst ? "" : ","}\n${text}`, leaf };
        },
      };
    }
    case "ndjson":
      return { ...ndjson(EXPORT_COLUMNS), start: `${JSON.stringify(presentHead(format, head))}\n` };
    case "csv": {
      const columns = Object.values(CSV_COLUMNS);
      const generation = [head.generationId, csvTime(head.selectedAt)];
      const json = jsonRows(CSV_HEADER);
      return {
        start: `${CSV_START}${csvRecord(CSV_HEADER)}`,
        end: "",
        row: (trade) => {
          const fields = [...columns.map((columnOf) => columnOf(trade)), ...generation];
          const cells = Object.fromEntries(fields.map((field, index) => [CSV_HEADER[index] ?? "", csvCell(field)]));
          return { text: csvRecord(fields), leaf: json(cells).leaf };
        },
      };
    }
  }
}

/** The columns of a Parquet file. Prices are text, because they have no common scale. */
export const EXPORT_COLUMNS: readonly ParquetColumn[] = [
  { name: "id", kind: "text" },
  { name: "traded_at", kind: "instant" },
  { name: "side", kind: "text" },
  { name: "condition_id", kind: "text" },
  { name: "market_title", kind: "text", isNullable: true },
  { name: "market_slug", kind: "text", isNullable: true },
  { name: "outcome_index", kind: "integer", isNullable: true },
  { name: "outcome", kind: "text", isNullable: true },
  { name: "token_id", kind: "text" },
  { name: "shares", kind: "micro" },
  { name: "price", kind: "text" },
  { name: "size_usd", kind: "micro" },
  { name: "fee_usd", kind: "micro", isNullable: true },
  { name: "role", kind: "text", isNullable: true },
  { name: "tx_hash", kind: "text" },
];

/** The footer of a Parquet file has the envelope of the other formats. */
export const exportMetadata = (head: ExportHead): ParquetMetadata => ({
  schema_version: EXPORT_SCHEMA_VERSIONS.parquet,
  envelope: JSON.stringify(presentHead("parquet", head)),
});

function presentHead(format: ExportFormat, head: ExportHead) {
  return {
    object: "trader_export",
    schema_version: EXPORT_SCHEMA_VERSIONS[format],
    generation: { id: head.generationId, selected_at: head.selectedAt, consistency: "repeatable_read" },
    trader: {
      id: formatId("trader", head.trader.id),
      address: head.trader.address,
      username: head.trader.username,
    },
    completeness: { ...head.completeness, history_read_at: head.syncedAt },
    trade_count: head.rows,
  };
}
