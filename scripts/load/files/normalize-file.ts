import { EXCHANGES } from "../../../src/providers/polygon/exchanges.ts";
import { LoadError } from "../load-error.ts";
import { findForm, type ArchiveForm } from "./archive-forms.ts";
import { literal, type DuckDb } from "./duckdb.ts";
import { groupNames, isUnreadableName } from "./group-names.ts";
import { numberRepeats } from "./number-repeats.ts";
import { PRICE_TEXT, toMs, toPrice, toPriceUnits, USD_MICRO } from "./parse-fields.ts";

export interface NormalizedFile {
  readonly form: ArchiveForm["name"];
  readonly fills: number;
  readonly unreadable: number;
}

/** 2020-01-01 and the year 2100 UTC in seconds: the bounds of times in the provider's rows. */
const [EARLIEST_SECONDS, LATEST_SECONDS] = [1_577_836_800, 4_102_444_800];
/** Ten billion shares or dollars in millionths, the bound of amounts in the provider's rows. */
const MAX_AMOUNT_MICRO = "10000000000000000";

/**
 * Reads a file into the tables `raw` (its readable rows; `rowid` is their order in the file), `wallets`, `tokens`,
 * `ordinals` and `unreadable`. The rules of fields are those of the provider's rows (src/providers/polymarket/payloads).
 *
 * @throws LoadError for a file whose columns are those of no known form
 */
export async function normalizeFile(duck: DuckDb, path: string, columns: readonly string[]): Promise<NormalizedFile> {
  const form = findForm(columns, [...EXCHANGES.keys()]);
  if (form === null) throw new LoadError(`${path} has none of the forms of docs/load.md: ${columns.join(", ")}.`);
  if (form.name === "order fills" && !(await hasMarkets(duck)))
    throw new LoadError(`${path} names tokens without markets. Add a file of markets, see docs/load.md.`);

  await duck.run(`create or replace table raw as ${selectFields(form, sourceOf(path))}`);
  await groupNames(duck, form);
  const unreadable = await removeUnreadable(duck);
  if (unreadable > 0) await groupNames(duck, form);
  const repeats = await numberRepeats(duck, form.ordinal !== null);
  const [counts] = await duck.rows(`select count(*)::double as fills from raw`);
  return { form: form.name, fills: Number(counts?.["fills"]) - repeats, unreadable };
}

/** Rows of the file that could not be read, as JSON. */
export async function listUnreadable(duck: DuckDb, path: string, limit: number): Promise<string[]> {
  const rows = await duck.rows(
    `select json_merge_patch(to_json(n), '{"row_number":null}')::varchar as record
     from (select *, row_number() over () - 1 as row_number from ${sourceOf(path)}) n semi join unreadable using (row_number)
     order by row_number limit ${limit}`,
  );
  return rows.map((row) => String(row["record"]));
}

/** The names of a file's columns. */
export const columnsOf = async (duck: DuckDb, path: string): Promise<string[]> =>
  (await duck.rows(`describe select * from ${sourceOf(path)}`)).map((row) => String(row["column_name"]));

const hasMarkets = async (duck: DuckDb): Promise<boolean> =>
  (await duck.rows(`select 1 from duckdb_tables() where table_name = 'token_markets'`)).length > 0;

/**
 * CSV values stay text, so that decimals keep their digits. DuckDB finds quotes in the first rows only, so a quoted title that comes
 * later would be an error.
 */
export const sourceOf = (path: string): string =>
  path.endsWith(".parquet")
    ? `read_parquet(${literal(path)})`
    : `read_csv(${literal(path)}, header = true, all_varchar = true, quote = '"', escape = '"')`;

function selectFields(form: ArchiveForm, source: string): string {
  const text = (expression: string) => `nullif(${expression}, '')`;
  const price =
    "units" in form.price
      ? `${form.price.units} as price_units, null::decimal(21, 20) as exact_price`
      : `${toPriceUnits(form.price.text)} as price_units,
         case when price_units is null then ${toPrice(form.price.text)} end as exact_price`;
  return `
    select * exclude (exact_price, stated_usd_micro), coalesce(stated_usd_micro, ${USD_MICRO}) as usd_micro,
      ${PRICE_TEXT} as price_text, coalesce(${IS_READABLE}, false) as is_readable
    from (
      select lower(${form.wallet}) as wallet, ${form.tokenId} as token_id, lower(${form.conditionId}) as condition_id,
        case upper(${form.side}) when 'BUY' then true when 'SELL' then false end as is_buy,
        ${form.sharesMicro} as shares_micro, ${price}, ${form.usdMicro ?? "null::bigint"} as stated_usd_micro,
        ${form.feeMicro} as fee_micro, ${toMs(form.tradedAt)} as traded_ms, lower(${form.txHash}) as tx_hash,
        ${form.ordinal ?? "null::bigint"} as stated_ordinal,
        case when lower(${form.role}) = 'taker' then true end as is_taker,
        try_cast(${form.outcomeIndex} as integer) as outcome_index, ${text(form.outcomeLabel)} as outcome_label,
        ${text(form.title)} as title, ${text(form.slug)} as slug, ${text(form.eventSlug)} as event_slug,
        ${text(form.icon)} as icon, ${text(form.username)} as username, ${text(form.profileImage)} as profile_image
      from ${source}
    )`;
}

// Of a transaction's hash `unhex` judges the digits. Wallets, tokens and markets are judged in `groupNames`, once each.
const IS_READABLE = `wallet is not null and token_id is not null and is_buy is not null
  and shares_micro between 0 and ${MAX_AMOUNT_MICRO}
  and (price_units between 0 and 10000000000 or exact_price between 0 and 1)
  and (stated_usd_micro is null or stated_usd_micro between 0 and ${MAX_AMOUNT_MICRO})
  and traded_ms between ${EARLIEST_SECONDS}000 and ${LATEST_SECONDS}000
  and length(tx_hash) = 66 and starts_with(tx_hash, '0x') and try(unhex(substr(tx_hash, 3))) is not null
  and coalesce(stated_ordinal between 0 and 32767, true)`;

/** Removes the unreadable rows from `raw`, which keeps the order of the others. @returns how many there are */
async function removeUnreadable(duck: DuckDb): Promise<number> {
  await duck.run(
    `create or replace table unreadable as
     select rowid as row_number from raw where not is_readable or ${await isUnreadableName(duck)}`,
  );
  const [counts] = await duck.rows(`select count(*)::double as rows from unreadable`);
  const rows = Number(counts?.["rows"]);
  if (rows > 0) {
    await duck.run(
      `create or replace table readable as
       select * from raw where rowid not in (select row_number from unreadable) order by rowid`,
    );
    await duck.run(`drop table raw; alter table readable rename to raw`);
  }
  return rows;
}
