import { EXCHANGES } from "../../../src/providers/polygon/exchanges.ts";
import { findForm, type ArchiveForm } from "./archive-forms.ts";
import { literal, type DuckDb } from "./duckdb.ts";
import { LoadError } from "../load-error.ts";

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
 * Reads a file into the tables `fills` (in the order of the ledger's identity) and `unreadable`. The rules of
 * fields are those of the provider's rows (src/providers/polymarket/payloads).
 *
 * @throws LoadError for a file whose columns are those of no known form
 */
export async function normalizeFile(duck: DuckDb, path: string): Promise<NormalizedFile> {
  const source = sourceOf(path);
  const columns = (await duck.rows(`describe select * from ${source}`)).map((row) => String(row["column_name"]));
  const form = findForm(columns, [...EXCHANGES.keys()]);
  if (form === null) throw new LoadError(`${path} has none of the forms of docs/load.md: ${columns.join(", ")}.`);
  if (form.name === "order fills" && !(await hasMarkets(duck)))
    throw new LoadError(`${path} names tokens without markets. Add a file of markets, see docs/load.md.`);

  await duck.run(`create or replace table numbered as select *, row_number() over () as row_number from ${source}`);
  await duck.run(`create or replace table raw as ${selectFields(form)}`);
  await duck.run(
    `create or replace table unreadable as select row_number from raw where not coalesce(${IS_READABLE}, false)`,
  );
  await duck.run(`create or replace table fills as ${numberFills(form)}`);
  await duck.run(`drop table raw`);
  const [counts] = await duck.rows(
    `select (select count(*) from fills)::int as fills, (select count(*) from unreadable)::int as unreadable`,
  );
  return { form: form.name, fills: Number(counts?.["fills"]), unreadable: Number(counts?.["unreadable"]) };
}

/** Rows of the file that could not be read, as JSON. */
export async function listUnreadable(duck: DuckDb, limit: number): Promise<string[]> {
  const rows = await duck.rows(
    `select json_merge_patch(to_json(n), '{"row_number":null}')::varchar as record
     from numbered n semi join unreadable using (row_number) order by row_number limit ${limit}`,
  );
  return rows.map((row) => String(row["record"]));
}

const hasMarkets = async (duck: DuckDb): Promise<boolean> =>
  (await duck.rows(`select 1 from duckdb_tables() where table_name = 'token_markets'`)).length > 0;

/** CSV values stay text, so that decimals keep their digits. */
export const sourceOf = (path: string): string =>
  path.endsWith(".parquet")
    ? `read_parquet(${literal(path)})`
    : `read_csv(${literal(path)}, header = true, all_varchar = true)`;

function selectFields(form: ArchiveForm): string {
  const text = (expression: string) => `nullif(${expression}, '')`;
  const joined = form.name === "order fills";
  const raw = `
    select row_number, lower(${form.wallet}) as wallet, ${form.tokenId} as token_id,
      lower(${form.conditionId}) as condition_id, upper(${form.side}) as side, ${form.sharesMicro} as shares_micro,
      ${priceOf(form.price)} as price, ${form.usdMicro ?? "null::bigint"} as stated_usd_micro,
      ${form.feeMicro} as fee_micro, ${timeOf(form.tradedAt)} as traded_ms, lower(${form.txHash}) as tx_hash,
      ${form.ordinal ?? "null::bigint"} as stated_ordinal,
      case when lower(${form.role}) = 'taker' then 'taker' end as role,
      try_cast(${form.outcomeIndex} as integer) as outcome_index, ${text(form.outcomeLabel)} as outcome_label,
      ${text(form.title)} as title, ${text(form.slug)} as slug, ${text(form.eventSlug)} as event_slug,
      ${text(form.icon)} as icon, ${text(form.username)} as username, ${text(form.profileImage)} as profile_image
    from numbered`;
  return joined
    ? `select r.* replace (m.condition_id as condition_id, try_cast(m.outcome_index as integer) as outcome_index)
       from (${raw}) r left join token_markets m using (token_id)`
    : raw;
}

/** First with whole digits: DuckDB reads `75e-2` as 75, then applies the exponent. Exact to 20 decimals. */
const priceOf = (text: string): string => `try_cast(try_cast(${text} as decimal(38, 20)) as decimal(21, 20))`;

/** Epoch seconds, or a date and time that counts as UTC without an offset. Null for any other text. */
const timeOf = (text: string): string =>
  `case when regexp_full_match(${text}, '\\d{1,12}(\\.0*)?') then try_cast(try_cast(${text} as double) as bigint) * 1000
    else epoch_ms(try_cast(${text} as timestamp)) end`;

const IS_READABLE = `regexp_full_match(wallet, '0x[0-9a-f]{40}') and regexp_full_match(token_id, '\\d{1,78}')
  and regexp_full_match(condition_id, '0x([0-9a-f]{62}|[0-9a-f]{64})') and side in ('BUY', 'SELL')
  and shares_micro between 0 and ${MAX_AMOUNT_MICRO} and price between 0 and 1
  and (stated_usd_micro is null or stated_usd_micro between 0 and ${MAX_AMOUNT_MICRO})
  and traded_ms between ${EARLIEST_SECONDS}000 and ${LATEST_SECONDS}000
  and regexp_full_match(tx_hash, '0x[0-9a-f]{64}') and coalesce(stated_ordinal between 0 and 32767, true)`;

/**
 * Numbers equal rows of a transaction like `numberRows` of src/ingest/feeds: counting restarts whenever the
 * transaction changes, so a stretch of rows that the file repeats is the same fills again.
 */
function numberFills(form: ArchiveForm): string {
  const identity = "tx_hash, wallet, token_id, side, shares_micro";
  const readable = `select * from raw where ${IS_READABLE}`;
  const numbered =
    form.ordinal === null
      ? `select *, row_number() over (partition by run, ${identity} order by row_number) - 1 as ordinal
         from (
           select *, count(*) filter (where is_first) over (order by row_number) as run
           from (
             select *, tx_hash is distinct from lag(tx_hash) over (order by row_number) as is_first from (${readable})
           )
         )`
      : `select *, stated_ordinal as ordinal from (${readable})`;
  return `
    select * exclude (stated_usd_micro, stated_ordinal),
      coalesce(stated_usd_micro, try_cast(round(shares_micro::decimal(17, 0) * price) as bigint)) as usd_micro
    from (${numbered})
    qualify row_number() over (partition by ${identity}, ordinal order by row_number) = 1`;
}
