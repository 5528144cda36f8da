import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { recompute } from "../../../scripts/recompute/recompute.ts";
import { randomHistory } from "../../../scripts/soak/random-history.ts";
import { tell } from "../../../scripts/soak/random-telling.ts";
import { tradePrice } from "../../../src/domain/trade-price.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { readStoredState } from "../../support/ingest/stored-state.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});

/** What a migration does with the rows it found, after it has made its tables, columns and indexes. */
function backfill(subject: string, isWanted: (statement: string) => boolean = () => true): string {
  const migrations = new URL("../../../migrations/", import.meta.url);
  const [file] = readdirSync(migrations).filter((name) => name.endsWith(`_${subject}.sql`));
  const text = readFileSync(new URL(String(file), migrations), "utf8");
  return (
    text
      .split("--> statement-breakpoint")
      .filter((statement) => !/^\s*(CREATE|ALTER|DROP) (TABLE|INDEX)/.test(statement))
      // A later step builds the list anew, in another form.
      .filter((statement) => !statement.includes('"explore_entries"') && isWanted(statement))
      .join("")
  );
}

test("a database of an earlier version comes out with the days, rewards, settlement days and counts of markets it would have kept itself", async () => {
  const pool = database.openPool();
  await tell(pool, randomHistory(1_500, 4), 4, () => undefined);
  // One market's time is not told: the day its payouts were read stands for it.
  await pool.query(
    `update markets set resolved_at = null, resolution_checked_at = settled_on + time '12:00' at time zone 'UTC'
     where id = (select min(id) from markets where payouts_ppm is not null)`,
  );
  const kept = await readStoredState(pool);
  expect(kept.days.length).toBeGreaterThan(100);

  await pool.query(
    `delete from trader_days;
     delete from trader_totals where entry_count = 0 and rebates_micro = 0;
     update markets set settled_on = null;
     update trader_totals t set rewards_micro = 0, markets_traded = 0, markets_resolved = 0, markets_won = 0, markets_decided = 0,
       first_at = (select min(at) from (${COUNTED_BEFORE}) before where before.trader_id = t.trader_id),
       last_at = (select max(at) from (${COUNTED_BEFORE}) before where before.trader_id = t.trader_id)`,
  );
  await pool.query(backfill("trader_days"));
  await pool.query(backfill("market_tallies"));
  // The last step takes out of days what combinations made, and of won and decided markets those with unmatched shares.
  const isOfThese = (statement: string) => /^\s*UPDATE "trader_days"/.test(statement) || statement.includes('"markets_won"');
  await pool.query(backfill("true_at_the_end", isOfThese));
  expect(await readStoredState(pool)).toEqual(kept);

  const client = new pg.Client({ connectionString: database.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  const differences: unknown[] = [];
  await recompute(client, { verify: true, onDifference: (difference) => differences.push(difference) });
  expect(differences).toEqual([]);
});

test("captured trades of an earlier version get the prices they would have been captured with", async () => {
  const { openPool } = await createTestDatabase();
  const pool = openPool();
  // Orders at a tick less up to three millionths of dust, and orders that met several prices; from a share to millions of them.
  const orders = Array.from({ length: 3_000 }, (_, n) => {
    const sharesMicro = 1_000_000n + ((BigInt(n) * 7_919n) % 1_000n) ** 3n * 9_973n;
    const usdMicro = (sharesMicro * BigInt(1 + ((n * 31) % 9_699))) / 10_000n - BigInt(n % 4) + (n % 5 === 0 ? sharesMicro / 33_333n : 0n);
    return { sharesMicro, usdMicro: usdMicro < 0n ? 0n : usdMicro, price: "0.1234567890" };
  });
  await pool.query(
    `create temporary table large_trades as
     select n as id, usd as size_usd_micro, shares as shares_micro, price
     from unnest($1::bigint[], $2::bigint[], $3::numeric[]) with ordinality as t(usd, shares, price, n)`,
    [orders.map(({ usdMicro }) => usdMicro), orders.map(({ sharesMicro }) => sharesMicro), orders.map(({ price }) => price)],
  );
  await pool.query(backfill("clean_prices"));
  const { rows } = await pool.query<{ price: string }>("select price::text from large_trades order by id");
  expect(rows.map(({ price }) => price)).toEqual(orders.map(tradePrice));
  expect(new Set(rows.map(({ price }) => price.length))).toEqual(new Set([3, 4, 5, 6, 7, 8]));
});

/** What the earlier version's totals counted, and so dated. */
const COUNTED_BEFORE = `
  select trader_id, traded_at as at from ledger_entries
  union all select trader_id, happened_at from wallet_activity where type in ('MAKER_REBATE', 'TAKER_REBATE')`;
