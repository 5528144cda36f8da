import { quarantineRecords } from "../../../src/ingest/feeds/quarantine-records.ts";
import { sessionOverTcp, type Client } from "../../services/postgres/session-over-tcp.ts";
import { LoadError } from "../load-error.ts";
import { inLoadTransaction } from "../load-state.ts";
import { resolveNames } from "../resolve-names.ts";
import type { DuckDb } from "./duckdb.ts";
import { KEY_ROWS } from "./group-names.ts";
import { listUnreadable, normalizeFile } from "./normalize-file.ts";

/** A file with more unreadable rows than this is not of its form. */
const MAX_UNREADABLE = 1_000;

export interface ArchiveFile {
  readonly path: string;
  /** Relative to the archive. */
  readonly name: string;
  readonly sha256: string;
  readonly columns: readonly string[];
}

export interface StageSettings {
  /** A directory for temporary files. */
  readonly directory: string;
  /** Every row is the fill of a taker order, as in the provider's taker feed. */
  readonly takers: boolean;
  /** Whether an interrupted load has recorded the file. */
  readonly isKnown: boolean;
}

export interface StagedFile {
  readonly form: string;
  readonly fills: number;
  readonly unreadable: number;
}

/** The words of a transaction's hash: DuckDB's driver fetches texts and bytes one by one, at several times the cost of integers. */
export const TX_WORDS = ["tx_1", "tx_2", "tx_3", "tx_4"] as const;
const wordOf = (index: number): string =>
  `array_slice(unhex(substr(tx_hash, 3)), ${8 * index + 1}, ${8 * index + 8})::bit::bigint`;
/** The hash of the words, in hex. */
export const TX_HEX = TX_WORDS.map((name) => `lower(hex(${name}::bit::blob))`).join(" || ");

/** Creates the DuckDB table of the fills of all files. `place` orders them by file and row. */
export const createStaging = (duck: DuckDb): Promise<void> =>
  duck.run(
    `create table staged (
       trader_id bigint, outcome_id bigint, market_id bigint, is_buy boolean, ${TX_WORDS.map((name) => `${name} bigint`).join(", ")}, shares_micro bigint,
       ordinal smallint, usd_micro bigint, fee_micro bigint, price_units bigint, price_text varchar, is_taker boolean,
       traded_ms bigint, place bigint
     )`,
  );

/**
 * Reads a file and adds its fills to the DuckDB table `staged`. A file that is not known gets its row in `bulk_load.files`, and
 * its unreadable rows are quarantined, in one transaction.
 */
export async function stageFile(
  client: Client,
  duck: DuckDb,
  file: ArchiveFile,
  { directory, takers, isKnown }: StageSettings,
): Promise<StagedFile> {
  const { form, fills, unreadable } = await normalizeFile(duck, file.path, file.columns);
  if (unreadable > MAX_UNREADABLE)
    throw new LoadError(
      `${file.name} has ${unreadable} rows that cannot be read as ${form}, such as ${(await listUnreadable(duck, file.path, 1)).join("")}.`,
    );
  await resolveNames(client, duck, directory);
  if (!isKnown) await recordFile(client, duck, file, { form, fills, unreadable }, takers);
  const { rows } = await client.query<{ number: number }>(`select number from bulk_load.files where sha256 = $1`, [
    file.sha256,
  ]);
  await duck.run(
    `insert into staged
     select trader_id, outcome_id, market_id, is_buy, ${TX_WORDS.map((_, index) => wordOf(index)).join(", ")}, shares_micro, coalesce(ordinal, stated_ordinal, 0),
       usd_micro, fee_micro, price_units, price_text, ${takers ? "true" : "is_taker"}, traded_ms,
       ${BigInt(rows[0]?.number ?? 0) * KEY_ROWS} + raw.rowid
     from raw join trader_ids using (wallet) join outcome_ids using (token_id) left join ordinals on row = raw.rowid
     where is_repeat is not true`,
  );
  await duck.run(`drop table raw`);
  return { form, fills, unreadable };
}

async function recordFile(
  client: Client,
  duck: DuckDb,
  file: ArchiveFile,
  { form, fills, unreadable }: StagedFile,
  takers: boolean,
): Promise<void> {
  const [facts] = await duck.rows(
    `select max(traded_ms)::double as newest_ms, coalesce(bool_or(is_taker), false) as has_roles from raw`,
  );
  const records = unreadable === 0 ? [] : await listUnreadable(duck, file.path, MAX_UNREADABLE);
  const hasRoles = takers || facts?.["has_roles"] === true;
  await inLoadTransaction(client, async () => {
    await client.query(
      `insert into bulk_load.files (sha256, name, number, form, fills, unreadable, newest_ms, has_roles)
       select $1, $2, (select coalesce(max(number), 0) + 1 from bulk_load.files), $3, $4, $5, $6, $7`,
      [file.sha256, file.name, form, fills, unreadable, facts?.["newest_ms"] ?? null, hasRoles],
    );
    // The file may have fills of traders that were folded before an interruption.
    await client.query(`delete from bulk_load.progress`);
    const reason = `a row of ${file.name} is not a fill`;
    await quarantineRecords(
      sessionOverTcp(client),
      "load",
      records.map((record): { record: unknown; reason: string } => ({ record: JSON.parse(record), reason })),
    );
  });
}
