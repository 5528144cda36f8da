import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { TRADE_COLUMNS, tradeLine } from "../../../scripts/load/files/trade-lines.ts";
import type { ProviderTrade } from "../../../src/platform/provider.ts";
import { queryDuckDb } from "../archive/duckdb.ts";

export interface ArchivedTrade {
  readonly trade: ProviderTrade;
  readonly taker: boolean;
}

/** A directory that is removed with the test. */
export function aDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "archive-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export function writeLines(path: string, lines: readonly string[]): void {
  writeFileSync(path, `${lines.join("\n")}\n`);
}

export function writeTrades(path: string, trades: readonly ArchivedTrade[]): void {
  writeLines(path, [TRADE_COLUMNS, ...trades.map(({ trade, taker }) => tradeLine(trade, taker))]);
}

/** The same rows in Parquet, with the numbers as numbers. */
export async function writeParquetTrades(path: string, trades: readonly ArchivedTrade[]): Promise<void> {
  const csv = `${path}.tmp`;
  writeTrades(csv, trades);
  await queryDuckDb(
    `copy (
       select * replace (size::decimal(18, 6) as size, timestamp::bigint as timestamp, outcome_index::int as outcome_index)
       from read_csv('${csv}', header = true, all_varchar = true)
     ) to '${path}' (format parquet)`,
  );
  rmSync(csv);
}
