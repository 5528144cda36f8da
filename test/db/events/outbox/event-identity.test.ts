import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTransaction } from "../../../../src/db/client.ts";
import { publishEvents } from "../../../../src/events/outbox/publish-events.ts";
import { createTestDatabase } from "../../../support/database/database.ts";
import { openIngest } from "../../../support/ingest/ingest-under-test.ts";
import { aTrade, pageOf } from "../../../support/ingest/provider/provider-trades.ts";

type Pool = ReturnType<Awaited<ReturnType<typeof createTestDatabase>>["openPool"]>;

const LARGE = aTrade({ n: 1, wallet: 7, market: 3, outcome: 1, sharesMicro: 12_500_000_000n, price: "0.48" });
const LARGER = aTrade({ n: 2, wallet: 8, side: "SELL", sharesMicro: 40_000_000_000n, price: "0.25" });

const identityOf = (type: string, occurrence: string): string =>
  createHash("sha256").update(`${type} ${occurrence}`).digest("hex").slice(0, 32);

async function identities(pool: Pool, type: string): Promise<(string | null)[]> {
  const { rows } = await pool.query<{ identity: string | null }>(
    "select replace(identity::text, '-', '') as identity from events where type = $1 order by id",
    [type],
  );
  return rows.map(({ identity }) => identity);
}

let first: Pool;
let second: Pool;

beforeAll(async () => {
  first = (await createTestDatabase()).openPool(() => undefined);
  second = (await createTestDatabase()).openPool(() => undefined);
});

afterAll(async () => {
  await Promise.all([first.end(), second.end()]);
});

test("a large trade's event has the same identity in a database that gave its rows other ids", async () => {
  const before = await openIngest(first);
  await before.apply("takers", pageOf([LARGE, LARGER]));
  const after = await openIngest(second);
  await second.query(
    "select setval(pg_get_serial_sequence(t, 'id'), 1000) from unnest(array['traders', 'markets', 'outcomes', 'ledger_entries', 'large_trades', 'events']) t",
  );
  await after.apply("takers", pageOf([LARGER]));
  await after.apply("takers", pageOf([LARGER, LARGE]));

  const stored = await identities(first, "large_trade_inserted_v2");
  expect((await identities(second, "large_trade_inserted_v2")).toSorted()).toEqual(stored.toSorted());
  expect(new Set(stored).size).toBe(2);
});

test("the identity is 128 bits of SHA-256 over the type and the provider's identity of the fill", async () => {
  const { rows } = await first.query<{ name: string }>(
    `select concat_ws(' ', encode(e.tx_hash, 'hex'), t.address, o.token_id, e.kind, e.shares_micro, e.ordinal) as name
     from large_trades l join ledger_entries e on e.id = l.entry_id join traders t on t.id = l.trader_id
     join outcomes o on o.id = l.outcome_id order by l.id`,
  );
  expect(rows[0]?.name).toMatch(/^[0-9a-f]{64} 0x[0-9a-f]{40} \d+ (buy|sell) \d+ 0$/);
  expect(await identities(first, "large_trade_inserted_v2")).toEqual(
    rows.map(({ name }) => identityOf("large_trade_inserted_v2", name)),
  );
});

const wallet = `0x${"1".repeat(40)}`;
const synced = (occurrence?: string) => ({
  type: "trader_synced" as const,
  payload: { trader_id: 1, wallet },
  ...(occurrence === undefined ? {} : { occurrence }),
});

test("an occurrence that is stored already is another event: it gets no identity", async () => {
  const pool = (await createTestDatabase()).openPool();
  const publish = (occurrence?: string) =>
    inTransaction(pool, (session) => publishEvents(session, [synced(occurrence)]));
  await publish(wallet);
  await publish(wallet);
  await publish("another");
  await publish();
  expect(await identities(pool, "trader_synced")).toEqual([
    identityOf("trader_synced", wallet),
    null,
    identityOf("trader_synced", "another"),
    null,
  ]);
});

test("the same text is another occurrence for another type", async () => {
  const database = await createTestDatabase();
  const count = { type: "large_positions_updated" as const, payload: { count: 1 }, occurrence: "text" };
  await inTransaction(database.openPool(), (session) => publishEvents(session, [synced("text"), count]));
  const { rows } = await database.db.execute(sql`select count(distinct identity)::int as n from events`);
  expect(rows).toEqual([{ n: 2 }]);
});
