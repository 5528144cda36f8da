import { join } from "node:path";
import { quarantineRecords } from "../../../src/ingest/feeds/quarantine-records.ts";
import { sessionOverTcp, type Client } from "../../services/postgres/session-over-tcp.ts";
import { copyFile } from "../range/copy-rows.ts";
import { literal, type DuckDb } from "./duckdb.ts";
import { LoadError } from "../load-error.ts";
import { inLoadTransaction } from "../load-state.ts";
import { listUnreadable, normalizeFile } from "./normalize-file.ts";
import { resolveNames } from "../resolve-names.ts";

/** A file with more unreadable rows than this is not of its form. */
const MAX_UNREADABLE = 1_000;

export interface ArchiveFile {
  readonly path: string;
  /** Relative to the archive. */
  readonly name: string;
  readonly sha256: string;
}

export interface StageSettings {
  /** A directory for temporary files. */
  readonly directory: string;
  /** Every row is the fill of a taker order, as in the provider's taker feed. */
  readonly takers: boolean;
}

export interface StagedFile {
  readonly form: string;
  readonly fills: number;
  readonly unreadable: number;
}

/**
 * Reads a file and stages its fills, sorted by trader and position, in one transaction with its row in
 * `bulk_load.files`. Unreadable rows are quarantined.
 */
export async function stageFile(
  client: Client,
  duck: DuckDb,
  file: ArchiveFile,
  { directory, takers }: StageSettings,
): Promise<StagedFile> {
  const { form, fills, unreadable } = await normalizeFile(duck, file.path);
  if (unreadable > MAX_UNREADABLE)
    throw new LoadError(
      `${file.name} has ${unreadable} rows that cannot be read as ${form}, such as ${(await listUnreadable(duck, 1)).join("")}.`,
    );
  await resolveNames(client, duck, directory);
  const path = join(directory, "fills.csv");
  const { rows } = await client.query<{ number: number }>(
    `select coalesce(max(number), 0) + 1 as number from bulk_load.files`,
  );
  const number = Number(rows[0]?.number);
  await duck.run(
    `copy (
       select ${number}, trader_id, outcome_id, market_id, case side when 'BUY' then 'buy' else 'sell' end,
         '\\x' || substr(tx_hash, 3), shares_micro, ordinal, usd_micro, fee_micro,
         rtrim(rtrim(price::varchar, '0'), '.'), ${takers ? "'taker'" : "role"}, traded_ms
       from fills join trader_ids using (wallet) join outcome_ids using (token_id)
       order by trader_id, outcome_id, traded_ms
     ) to ${literal(path)} (format csv, header false)`,
  );
  const [facts] = await duck.rows(
    `select max(traded_ms)::double as newest_ms, coalesce(bool_or(role is not null), false) as has_roles from fills`,
  );
  const records = await listUnreadable(duck, MAX_UNREADABLE);
  await inLoadTransaction(client, async () => {
    await client.query(
      `insert into bulk_load.files (sha256, name, number, form, fills, unreadable, newest_ms, has_roles)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        file.sha256,
        file.name,
        number,
        form,
        fills,
        unreadable,
        facts?.["newest_ms"] ?? null,
        takers || facts?.["has_roles"] === true,
      ],
    );
    // The file may have fills of traders that were folded before an interruption.
    await client.query(`delete from bulk_load.progress`);
    await copyFile(client, `bulk_load.fills (${STAGED_COLUMNS})`, path);
    const reason = `a row of ${file.name} is not a fill`;
    await quarantineRecords(
      sessionOverTcp(client),
      "load",
      records.map((record): { record: unknown; reason: string } => ({ record: JSON.parse(record), reason })),
    );
  });
  return { form, fills, unreadable };
}

export const STAGED_COLUMNS =
  "file, trader_id, outcome_id, market_id, kind, tx_hash, shares_micro, ordinal, usd_micro, fee_micro, price, role, traded_ms";
