import type { ArchiveForm } from "./archive-forms.ts";
import type { DuckDb } from "./duckdb.ts";

/** Columns of a token whose newest known value counts, with the column of `tokens` that has its row. */
export const HINTS = ["outcome_label", "title", "slug", "event_slug", "icon"] as const;

/** Rows of one file that a key can contain. */
export const KEY_ROWS = 1_099_511_627_776n;

/*
 * Names repeat in most rows, so each is judged once. Texts are taken from single rows afterwards: only row numbers are
 * aggregated.
 */

/**
 * Groups the readable rows of `raw` by name: `wallets`, with the key of the row that names each trader, and `tokens`,
 * which has each token with each of its markets.
 */
export async function groupNames(duck: DuckDb, form: ArchiveForm): Promise<void> {
  // Of rows of one instant the first counts.
  const key = `traded_ms::hugeint * ${KEY_ROWS} + (${KEY_ROWS - 1n} - rowid)`;
  await duck.run(
    `create or replace table wallets as
     select wallet, max(case when username is not null then ${key} end) as name_key,
       max(case when username is not null and profile_image is not null then ${key} end) as image_key
     from raw where is_readable group by wallet`,
  );
  const tokens = `
    select token_id, condition_id, condition_id as file_condition_id, max(rowid) as last_row,
      max(outcome_index) filter (outcome_index between 0 and 998) as outcome_index,
      ${HINTS.map((name) => `max(rowid) filter (${name} is not null) as ${name}_row`).join(", ")}
    from raw where is_readable group by token_id, condition_id`;
  await duck.run(
    `create or replace table tokens as ${
      form.name !== "order fills"
        ? tokens
        : `select t.* replace (m.condition_id as condition_id, try_cast(m.outcome_index as integer) as outcome_index)
           from (${tokens}) t left join token_markets m using (token_id)`
    }`,
  );
}

const IS_WALLET = `regexp_full_match(wallet, '0x[0-9a-f]{40}')`;
const IS_TOKEN = `coalesce(regexp_full_match(token_id, '\\d{1,78}')
  and regexp_full_match(condition_id, '0x([0-9a-f]{62}|[0-9a-f]{64})'), false)`;

/** The SQL condition on rows of `raw` whose wallet, token or market is none. */
export async function isUnreadableName(duck: DuckDb): Promise<string> {
  const [counts] = await duck.rows(
    `select (select count(*) from wallets where not ${IS_WALLET}) + (select count(*) from tokens where not ${IS_TOKEN}) as n`,
  );
  if (Number(counts?.["n"]) === 0) return "false";
  return `wallet in (select wallet from wallets where not ${IS_WALLET})
    or (token_id, coalesce(condition_id, '')) in (
      select (token_id, coalesce(file_condition_id, '')) from tokens where not ${IS_TOKEN})`;
}
