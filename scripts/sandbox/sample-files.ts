import { createHash } from "node:crypto";
import { csvRecord, CSV_START } from "../../src/domain/exports/csv.ts";
import { storedGzip } from "../../src/sandbox/stored-gzip.ts";

/** A file that a sample of a download leads to. */
export interface SampleFile {
  readonly content: string;
  readonly content_type: string;
  readonly file_name: string;
}

const CONDITION_ID = `0x${"7".repeat(64)}`;

/** One row of a dataset of large trades. */
const DATASET_ROW = {
  id: "wt_81",
  sequence: "81",
  trader_id: "trd_12",
  condition_id: CONDITION_ID,
  platform: "polymarket",
  traded_at: "2026-11-20T12:00:00.000Z",
  side: "BUY",
  outcome_index: 0,
  price: "0.4569",
  size_usd: "12345.99",
  inserted_xid: "90118",
  trade_event_id: "pe_4711",
  source_trade_ingested_at: "2026-11-20T12:00:02.000Z",
};

/** One trade of an export, by the columns of its CSV form. */
const EXPORT_ROW = {
  id: "pe_4711",
  traded_at_utc: "2026-11-20 12:00:00",
  side: "BUY",
  condition_id: CONDITION_ID,
  market_title: "Will it rain?",
  market_slug: "will-it-rain",
  outcome_index: 0,
  outcome: "Yes",
  shares: "27021.21",
  price: "0.4569",
  size_usd: "12345.99",
  fee_usd: "0",
  role: "taker",
  tx_hash: `0x${"5".repeat(64)}`,
  generation_id: "3f6c2f0e-6f6d-4b0e-9a3f-0d5d3b9f4c11",
  generation_selected_at_utc: "2026-11-21 12:00:05",
};

/** By the folder of their path. Each has one row. */
export const SAMPLE_FILES: Readonly<Record<"exports" | "datasets", SampleFile>> = {
  exports: {
    content: `${CSV_START}${csvRecord(Object.keys(EXPORT_ROW))}${csvRecord(Object.values(EXPORT_ROW))}`,
    content_type: "text/csv",
    file_name: "trader-export-17.csv",
  },
  datasets: {
    content: `${JSON.stringify(DATASET_ROW)}\n`,
    content_type: "application/x-ndjson",
    file_name: "whale-trades-17.ndjson",
  },
};

/** The fields of a job's sample that describe its file, so that a client that checks hashes accepts the download. */
export function describeFile({ content }: SampleFile) {
  const bytes = new TextEncoder().encode(content);
  const stored = storedGzip(bytes);
  const size = { compressed_size_bytes: stored.length };
  return {
    rows: 1,
    contentBytes: bytes.length,
    artifact: { ...size, proof: null, proof_unavailable_reason: "no_signing_key" },
    digests: {
      row_count: 1,
      content_size_bytes: bytes.length,
      content_sha256: sha256(bytes),
      ...size,
      compressed_sha256: sha256(stored),
      merkle_root: null,
    },
  };
}

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
