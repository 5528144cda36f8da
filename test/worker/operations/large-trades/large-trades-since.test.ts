import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Database } from "../../../../src/db/client.ts";
import { idsOf, openFreshApi, errorOf } from "../../../support/api/fresh-api.ts";
import { aLargeTrade, passHorizon } from "../../../support/seed/large-trades.ts";

const LIST = "/api/v1/large-trades";
const at = (time: string) => new Date(`2026-11-20T${time}Z`);
const wt = (id: number) => `wt_${id}`;

test("since returns the trades committed after that trade, newest commit first, whatever their trade time", async () => {
  const { api, db } = await openFreshApi();
  const anchor = await aLargeTrade(db, { tradedAt: at("12:00:00") });
  const madeEarlier = await aLargeTrade(db, { tradedAt: at("10:00:00") });
  const madeLater = await aLargeTrade(db, { tradedAt: at("13:00:00") });
  await passHorizon(db);
  expect(idsOf(await api.get(`${LIST}?since=wt_${anchor}`))).toEqual([madeLater, madeEarlier].map(wt));
  expect(idsOf(await api.get(`${LIST}?since=${madeEarlier}`))).toEqual([wt(madeLater)]);
  expect((await api.get(`${LIST}?since=${madeLater}`)).body).toMatchObject({ data: [], has_more: false });
});

test("since combines with the other filters", async () => {
  const { api, db } = await openFreshApi();
  const anchor = await aLargeTrade(db);
  await aLargeTrade(db, { sizeUsdMicro: 6_000_000_000n });
  const large = await aLargeTrade(db, { sizeUsdMicro: 9_000_000_000n });
  await passHorizon(db);
  expect(idsOf(await api.get(`${LIST}?since=${anchor}&min_size=7000`))).toEqual([wt(large)]);
});

test("a trade committed late appears in a later poll, and trades committed beside it wait for it", async () => {
  const { api, db, openPool } = await openFreshApi();
  const anchor = await aLargeTrade(db);
  const session = await openPool().connect();
  await session.query("begin");
  const late = await copyOf(anchor, (statement) => session.query(statement));
  const beside = await aLargeTrade(db);
  const before = await api.get(`${LIST}?since=${anchor}`);
  await session.query("commit");
  session.release();
  await passHorizon(db);
  expect(idsOf(before)).toEqual([]);
  expect(idsOf(await api.get(`${LIST}?since=${anchor}`))).toEqual([beside, late].map(wt));
});

test("polling with the newest id neither loses nor repeats a trade that is stored between pages", async () => {
  const { api, db } = await openFreshApi();
  const anchor = await aLargeTrade(db);
  const stored = [await aLargeTrade(db), await aLargeTrade(db), await aLargeTrade(db)];
  await passHorizon(db);
  const first = await api.get(`${LIST}?since=${anchor}&limit=2`);
  stored.push(await aLargeTrade(db));
  await passHorizon(db);
  const second = await api.get(`${LIST}?since=${anchor}&limit=2&cursor=${first.body.next_cursor}`);
  expect(second.body.has_more).toBe(false);
  const poll = await api.get(`${LIST}?since=${idsOf(first)[0]}`);
  const [a = 0, b = 0, c = 0, d = 0] = stored;
  expect([first, second, poll].map(idsOf)).toEqual([[wt(c), wt(b)], [wt(a)], [wt(d)]]);
});

test("a poll without new trades returns 304", async () => {
  const { api, db } = await openFreshApi();
  const newest = await aLargeTrade(db);
  const etag = (await api.get(`${LIST}?since=${newest}`)).headers.get("etag") ?? "";
  expect((await api.get(`${LIST}?since=${newest}`, { "if-none-match": etag })).status).toBe(304);
  await aLargeTrade(db);
  await passHorizon(db);
  expect((await api.get(`${LIST}?since=${newest}`, { "if-none-match": etag })).status).toBe(200);
});

test.each(["999999", "wt_999999", "99999999999999999999", "trd_1", "wt_0", "0", "1.5", "soon"])(
  "since=%s is not a trade's id and is refused",
  async (since) => {
    const { api, db } = await openFreshApi();
    await aLargeTrade(db);
    expect(errorOf(await api.get(`${LIST}?since=${since}`))).toEqual({
      status: 400,
      reason: "invalid_query",
      param: "since",
    });
  },
);

test("since is refused with another order than recent", async () => {
  const { api, db } = await openFreshApi();
  const anchor = await aLargeTrade(db);
  const response = await api.get(`${LIST}?since=${anchor}&sort=market_volume_share`);
  expect(errorOf(response)).toEqual({ status: 400, reason: "invalid_query", param: "since" });
});

test("since returns 200 for 10,000 later trades and is refused for 10,001", async () => {
  const { api, db } = await openFreshApi();
  const anchor = await aLargeTrade(db);
  await copiesOf(db, anchor, 10_000);
  expect((await api.get(`${LIST}?since=${anchor}`)).status).toBe(200);
  await aLargeTrade(db);
  expect(errorOf(await api.get(`${LIST}?since=${anchor}`))).toEqual({
    status: 400,
    reason: "invalid_query",
    param: "since",
  });
});

/** Stores a copy of a trade through `run`. @returns the id of its row */
async function copyOf(
  id: number,
  run: (statement: string) => Promise<{ rows: Record<string, unknown>[] }>,
): Promise<number> {
  const { rows } = await run(copyStatement(id, 1));
  return Number(rows[0]?.["id"]);
}

async function copiesOf(db: Database, id: number, count: number): Promise<void> {
  await db.execute(sql.raw(copyStatement(id, count)));
}

/** The copies differ in the ordinal, which is part of a ledger entry's identity. */
function copyStatement(id: number, count: number): string {
  return `with entries as (
      insert into ledger_entries (tx_hash, trader_id, outcome_id, market_id, kind, shares_micro, ordinal, usd_micro, price, traded_at)
      select e.tx_hash, e.trader_id, e.outcome_id, e.market_id, e.kind, e.shares_micro, n, e.usd_micro, e.price, e.traded_at
      from large_trades l join ledger_entries e on e.id = l.entry_id, generate_series(1, ${count}) n where l.id = ${id}
      returning id
    )
    insert into large_trades (entry_id, trader_id, market_id, outcome_id, side, size_usd_micro, shares_micro, price, traded_at, review_score,
      grade_at_trade_status)
    select entries.id, trader_id, market_id, outcome_id, side, size_usd_micro, shares_micro, price, traded_at, review_score, grade_at_trade_status
    from entries, large_trades l where l.id = ${id} returning large_trades.id`;
}
