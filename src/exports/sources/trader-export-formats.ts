import { z } from "zod";
import { CSV_START, csvRecord, csvTime } from "../../domain/exports/csv.ts";
import type { ExportFormat } from "../../domain/exports/export-job.ts";
import { formatId } from "../../domain/ids.ts";
import { formatMicro } from "../../domain/money.ts";

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
export const presentTrade = (row: TradeRow) => ({
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

export type ExportedTrade = ReturnType<typeof presentTrade>;

export const SCHEMA_VERSIONS = {
  json: "trader-export-json-v1",
  ndjson: "trader-export-ndjson-v1",
  csv: "trader-export-csv-v1",
} as const satisfies Record<ExportFormat, string>;

export const CONTENT_TYPES = {
  json: "application/json",
  ndjson: "application/x-ndjson",
  csv: "text/csv",
} as const satisfies Record<ExportFormat, string>;

/** The text of a file: `start`, each trade in order, `end`. */
interface FormatWriter {
  readonly start: string;
  readonly end: string;
  trade(trade: ExportedTrade, isFirst: boolean): string;
}

// The long token id is left out: a spreadsheet would round it.
const CSV_COLUMNS = [
  "id",
  "traded_at_utc",
  "side",
  "condition_id",
  "market_title",
  "market_slug",
  "outcome_index",
  "outcome",
  "shares",
  "price",
  "size_usd",
  "fee_usd",
  "role",
  "tx_hash",
  "generation_id",
  "generation_selected_at_utc",
];

export function writerOf(format: ExportFormat, head: ExportHead): FormatWriter {
  switch (format) {
    case "json": {
      const envelope = JSON.stringify(presentHead(format, head));
      return {
        start: `${envelope.slice(0, -1)},"trades":[`,
        end: "\n]}\n",
        trade: (trade, isFirst) => `${isFirst ? "" : ","}\n${JSON.stringify(trade)}`,
      };
    }
    case "ndjson":
      return {
        start: `${JSON.stringify(presentHead(format, head))}\n`,
        end: "",
        trade: (trade) => `${JSON.stringify(trade)}\n`,
      };
    case "csv":
      return {
        start: `${CSV_START}${csvRecord(CSV_COLUMNS)}`,
        end: "",
        trade: (trade) => csvRecord([...csvFields(trade), head.generationId, csvTime(head.selectedAt)]),
      };
  }
}

const csvFields = (trade: ExportedTrade) => [
  trade.id,
  csvTime(trade.traded_at),
  trade.side,
  trade.condition_id,
  trade.market_title,
  trade.market_slug,
  trade.outcome_index,
  trade.outcome,
  trade.shares,
  trade.price,
  trade.size_usd,
  trade.fee_usd,
  trade.role,
  trade.tx_hash,
];

function presentHead(format: ExportFormat, head: ExportHead) {
  return {
    object: "trader_export",
    schema_version: SCHEMA_VERSIONS[format],
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
