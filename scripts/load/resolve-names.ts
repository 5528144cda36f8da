import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { RowIdCache } from "../../src/ingest/feeds/row-id-cache.ts";
import { resolveIds, type RecordReferences } from "../../src/ingest/feeds/resolve-ids.ts";
import { lockLedger } from "../../src/ingest/ledger/record-ledger-entries.ts";
import { parseConditionId } from "../../src/domain/ids.ts";
import { chunk } from "../../src/lib/chunk.ts";
import { outcomeIndexOfPosition } from "../../src/providers/polymarket/mapping/trades/second-protocol-id.ts";
import { sessionOverTcp, type Client } from "../services/postgres/session-over-tcp.ts";
import { copyFile, copyToFile } from "./range/copy-rows.ts";
import { literal, type DuckDb } from "./files/duckdb.ts";
import { HINTS, KEY_ROWS } from "./files/group-names.ts";
import { inLoadTransaction } from "./load-state.ts";

/** Tokens in one transaction, which holds the ledger lock. */
const TOKENS_AT_ONCE = 2_000;

const Token = z.object({
  token_id: z.string(),
  condition_id: z.string(),
  wallet: z.string(),
  outcome_index: z.number().nullable(),
  outcome_label: z.string().nullable(),
  title: z.string().nullable(),
  slug: z.string().nullable(),
  event_slug: z.string().nullable(),
  icon: z.string().nullable(),
});

/**
 * Gives every trader, market and outcome that the DuckDB table `raw` names a row in the database, as ingest does,
 * and writes their row ids to the DuckDB tables `trader_ids` and `outcome_ids`.
 */
export async function resolveNames(client: Client, duck: DuckDb, directory: string): Promise<void> {
  await resolveTraders(client, duck, directory);
  await resolveOutcomes(client, duck, directory);
}

async function resolveTraders(client: Client, duck: DuckDb, directory: string): Promise<void> {
  const [named, ids] = [join(directory, "traders.csv"), join(directory, "trader-ids.csv")];
  // A key ends with the distance of its row from the highest row number.
  const rowOf = (key: string) => `(${KEY_ROWS - 1n} - ${key} % ${KEY_ROWS})::bigint`;
  await duck.run(
    `copy (
       select w.wallet, n.username, i.profile_image from wallets w
       left join raw n on n.rowid = ${rowOf("w.name_key")} left join raw i on i.rowid = ${rowOf("w.image_key")}
       order by w.wallet
     ) to ${literal(named)} (format csv, header false)`,
  );
  await inLoadTransaction(client, async () => {
    await client.query(`create temp table named (address text, username text, profile_image text) on commit drop`);
    await copyFile(client, "named", named);
    // The rule of names is that of `resolveTraders` in src/ingest/feeds.
    await client.query(
      `insert into traders (address, username, profile_image) select address, username, profile_image from named
       on conflict (address) do update set username = coalesce(excluded.username, traders.username),
         profile_image = coalesce(excluded.profile_image, traders.profile_image)
       where excluded.username is not null
         and (excluded.username, excluded.profile_image) is distinct from (traders.username, traders.profile_image)`,
    );
    await copyToFile(client, `select t.address, t.id from named join traders t using (address)`, ids);
  });
  await duck.run(
    `create or replace table trader_ids as
     select * from read_csv(${literal(ids)}, header = false, auto_detect = false,
       columns = {'wallet': 'varchar', 'trader_id': 'bigint'})`,
  );
}

async function resolveOutcomes(client: Client, duck: DuckDb, directory: string): Promise<void> {
  const rows = await duck.rows(
    `select t.token_id, t.condition_id, w.wallet, t.outcome_index, ${HINTS.map((name) => `${name}.${name}`).join(", ")}
     from (
       select token_id, arg_max(condition_id, last_row) as condition_id, max(last_row) as last_row,
         max(outcome_index) as outcome_index, ${HINTS.map((name) => `max(${name}_row) as ${name}_row`).join(", ")}
       from tokens group by token_id
     ) t join raw w on w.rowid = t.last_row
     ${HINTS.map((name) => `left join raw ${name} on ${name}.rowid = t.${name}_row`).join(" ")}
     order by t.token_id`,
  );
  const rowIds = new RowIdCache(Math.max(1, rows.length));
  const session = sessionOverTcp(client);
  const lines: string[] = [];
  for (const part of chunk(z.array(Token).parse(rows).map(toReferences), TOKENS_AT_ONCE)) {
    const { ids } = await rowIds.cacheAfterCommit(() =>
      inLoadTransaction(client, async () => {
        await lockLedger(session);
        const resolved = await resolveIds(session, part, rowIds);
        return { ids: resolved, learned: resolved.newIds };
      }),
    );
    for (const { tokenId } of part) {
      const { outcomeId, marketId } = ids.outcome(tokenId);
      lines.push(`${tokenId},${outcomeId},${marketId}`);
    }
  }
  const path = join(directory, "outcome-ids.csv");
  await writeFile(path, lines.map((line) => `${line}\n`).join(""));
  await duck.run(
    `create or replace table outcome_ids as select * from read_csv(${literal(path)}, header = false, auto_detect = false,
       columns = {'token_id': 'varchar', 'outcome_id': 'bigint', 'market_id': 'bigint'})`,
  );
}

function toReferences(token: z.output<typeof Token>): RecordReferences {
  const conditionId = parseConditionId(token.condition_id) ?? token.condition_id;
  return {
    trader: { address: token.wallet, username: null, profileImage: null },
    market: {
      conditionId,
      title: token.title,
      slug: token.slug,
      eventSlug: token.event_slug,
      icon: token.icon,
    },
    tokenId: token.token_id,
    outcomeIndex: token.outcome_index ?? outcomeIndexOfPosition(token.token_id, conditionId),
    outcomeLabel: token.outcome_label,
  };
}
