import { sql } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { signCursor } from "../../../../src/api/request/cursor.ts";
import { inTransaction, type Database } from "../../../../src/db/client.ts";
import { pruneOutbox } from "../../../../src/events/outbox/prune-outbox.ts";
import { departures } from "../../../contract/contract.ts";
import type { TestApiResponse, ApiUnderTest } from "../../../support/api/api-under-test.ts";
import { openFreshApi, errorOf } from "../../../support/api/fresh-api.ts";
import {
  aLargeTrade,
  aPublishedLargeTrade,
  passHorizon,
  publishLargeTrades,
} from "../../../support/seed/large-trades.ts";
import { aMarket } from "../../../support/seed/markets.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

const REPLAY = "/api/v1/events/feed/since";
const EXPIRED = { status: 400, reason: "cursor_expired", param: "cursor" };

/** The trade ids of a page's events, in its order. */
const tradesOf = (response: TestApiResponse): number[] => {
  expect({ status: response.status, body: response.status === 200 ? null : response.text }).toEqual({
    status: 200,
    body: null,
  });
  return response.body.data.map((event: { sequence: number }) => event.sequence);
};

/** Requests the events after a cursor, or the newest events without one. */
const since = (api: ApiUnderTest, cursor: string | null, query = "") =>
  api.get(`${REPLAY}?${query}${cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`}`);

/** Pages from a cursor until no more events are readable. */
async function walkFrom(api: ApiUnderTest, cursor: string | null, query = ""): Promise<TestApiResponse[]> {
  const pages = [await since(api, cursor, query)];
  while (pages.at(-1)?.body.has_more === true) pages.push(await since(api, pages.at(-1)?.body.next_cursor, query));
  return pages;
}

/** A cursor before all retained events. */
const beginning = async (api: ApiUnderTest, query = ""): Promise<string> =>
  (await since(api, null, query)).body.meta.replay.from_cursor;

/** The event ids in the required order, sorted here and not by the database. */
async function storedOrder(db: Database): Promise<string[]> {
  const { rows } = await db.execute(
    sql`select commit_xid::text as xid, id::text as id from events where large_trade_id is not null`,
  );
  const pairs = rows.map((row) => ({ xid: BigInt(String(row["xid"])), id: BigInt(String(row["id"])) }));
  pairs.sort((a, b) => (a.xid === b.xid ? Number(a.id - b.id) : a.xid < b.xid ? -1 : 1));
  return pairs.map(({ id }) => `ef_1_${id}`);
}

describe("walk", () => {
  test("a walk returns every event once in commit order for any page size, with matching replay cursors", async () => {
    const { api, db } = await openFreshApi();
    const trades: number[] = [];
    for (let n = 0; n < 7; n++) trades.push(await aPublishedLargeTrade(db));
    await passHorizon(db);
    const from = await beginning(api);
    for (const limit of [1, 3, 7, 100]) {
      const pages = await walkFrom(api, from, `limit=${limit}`);
      expect(pages.flatMap(tradesOf)).toEqual(trades);
      expect(pages.map(({ body }) => body.has_more)).toEqual([...Array(Math.ceil(7 / limit) - 1).fill(true), false]);
      for (const { body } of pages) {
        expect(departures("EventReplayResponse", body)).toEqual([]);
        expect(body.meta.replay.to_cursor).toBe(body.next_cursor);
        expect(body.meta.completeness.status).toBe(body.has_more ? "complete" : "caught_up");
        expect(body.meta.retention.retained_events).toBe(7);
      }
      const ends = pages.map(({ body }) => body.meta.replay);
      expect(ends.map((end) => end.from_sequence)).toEqual([0, ...ends.slice(0, -1).map((end) => end.to_sequence)]);
      expect(ends.map((end) => end.to_sequence)).toEqual(pages.map((page) => tradesOf(page).at(-1)));
      expect(ends.map((end) => end.from_cursor)).toEqual([from, ...ends.slice(0, -1).map((end) => end.to_cursor)]);
    }
  });

  test("an event's own cursor continues right after that event", async () => {
    const { api, db } = await openFreshApi();
    const trades = [await aPublishedLargeTrade(db), await aPublishedLargeTrade(db), await aPublishedLargeTrade(db)];
    await passHorizon(db);
    const { body } = await since(api, null);
    for (const [index, event] of body.data.entries()) {
      expect(tradesOf(await since(api, event.cursor))).toEqual(trades.slice(index + 1));
    }
  });

  test("an event has its stored payload and a stable id", async () => {
    const { api, db } = await openFreshApi();
    const [wallet, market] = [await aSeededTrader(db), await aMarket(db)];
    const trade = await aPublishedLargeTrade(db, { trader: wallet, market });
    await passHorizon(db);
    const { rows } = await db.execute(
      sql`select id::text as id, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at from events`,
    );
    const [first] = (await since(api, null)).body.data;
    expect(first).toMatchObject({
      id: `ef_1_${rows[0]?.["id"]}`,
      type: "whale_trades_inserted",
      sequence: trade,
      published_at: rows[0]?.["at"],
      payload: {
        count: 1,
        whale_alert_id: trade,
        condition_id: market.conditionId,
        trader_id: wallet.id,
        platform: "polymarket",
      },
      freshness: { status: "observed", observed_at: rows[0]?.["at"] },
    });
    expect(first).not.toHaveProperty("trade");
    expect((await since(api, null)).body.data[0]).toEqual(first);
  });

  test("the id of an event with an identity is the identity, whatever its row and its epoch", async () => {
    const { api, db } = await openFreshApi();
    await aPublishedLargeTrade(db);
    await db.execute(sql`update events set identity = '5b0f7c2d-9e31-0a68-01d2-c3e4f5061728'
      where large_trade_id is not null`);
    await passHorizon(db);
    const [event] = (await since(api, null)).body.data;
    expect(event.id).toBe("ef_5b0f7c2d9e310a6801d2c3e4f5061728");
  });

  test("a request without a cursor returns the newest events and a cursor for later ones", async () => {
    const { api, db } = await openFreshApi();
    const trades: number[] = [];
    for (let n = 0; n < 5; n++) trades.push(await aPublishedLargeTrade(db));
    await passHorizon(db);
    const newest = await since(api, null, "limit=2");
    expect(tradesOf(newest)).toEqual(trades.slice(-2));
    expect(newest.body).toMatchObject({
      has_more: false,
      meta: { completeness: { status: "caught_up" }, replay: { from_sequence: 0 } },
    });
    const next = await aPublishedLargeTrade(db);
    await passHorizon(db);
    expect(tradesOf(await since(api, newest.body.next_cursor))).toEqual([next]);
  });

  test("an empty cursor counts as none", async () => {
    const { api, db } = await openFreshApi();
    const trade = await aPublishedLargeTrade(db);
    await passHorizon(db);
    expect(tradesOf(await since(api, ""))).toEqual([trade]);
  });

  test("a replay without large trades always has a cursor, which advances past other events", async () => {
    const { api, db } = await openFreshApi();
    const empty = await since(api, null);
    expect(empty.body).toMatchObject({
      data: [],
      has_more: false,
      meta: { replay: { from_sequence: 0, to_sequence: 0 } },
    });
    await db.execute(
      sql`insert into events (epoch, type, payload) values (1, 'large_positions_updated', '{"count": 1}')`,
    );
    await passHorizon(db);
    const moved = await since(api, empty.body.next_cursor);
    expect(moved.body).toMatchObject({ data: [], has_more: false, meta: { retention: { retained_events: 0 } } });
    expect(moved.body.next_cursor).not.toBe(empty.body.next_cursor);
    const trade = await aPublishedLargeTrade(db);
    await passHorizon(db);
    for (const cursor of [empty.body.next_cursor, moved.body.next_cursor])
      expect(tradesOf(await since(api, cursor))).toEqual([trade]);
  });

  test("the limit is clamped to its range", async () => {
    const { api, db } = await openFreshApi();
    const trade = await aLargeTrade(db);
    await copiesWithEvents(db, trade, 120);
    await passHorizon(db);
    const from = await beginning(api);
    expect(tradesOf(await since(api, from))).toHaveLength(50);
    expect(tradesOf(await since(api, from, "limit=1000"))).toHaveLength(100);
    expect(tradesOf(await since(api, from, "limit=0"))).toHaveLength(1);
  });
});

describe("replay horizon", () => {
  test("events committed beside an open transaction wait for it, and no event is skipped", async () => {
    const { api, db, openPool } = await openFreshApi();
    const [early, late] = [await aLargeTrade(db), await aLargeTrade(db)];
    await passHorizon(db);
    const before = await since(api, null);
    const session = await openPool().connect();
    await session.query("begin");
    await session.query(eventOf(early));
    await db.execute(sql.raw(eventOf(late)));
    const pending = await since(api, before.body.next_cursor);
    expect(pending.body).toMatchObject({
      data: [],
      has_more: false,
      meta: { replay: { pending_beyond_horizon: true } },
    });
    expect(pending.body.meta.completeness.status).toBe("caught_up");
    expect((await since(api, null)).body.data).toEqual([]);
    await session.query("commit");
    session.release();
    await passHorizon(db);
    for (const cursor of [before.body.next_cursor, pending.body.next_cursor]) {
      const after = await since(api, cursor);
      expect(tradesOf(after)).toEqual([early, late]);
      expect(after.body.meta.replay.pending_beyond_horizon).toBe(false);
    }
  });

  test(
    "every reader gets every event once in one order with random writers, readers and pages",
    { timeout: 240_000 },
    async () => {
      const { api, db, openPool } = await openFreshApi();
      const trade = await aLargeTrade(db);
      const pools = [openPool(), openPool(), openPool()];
      const writer = fc.nat(pools.length - 1);
      const anyStep = fc.oneof(
        fc.record({ act: fc.constant("begin" as const), writer }),
        fc.record({ act: fc.constant("write" as const), writer }),
        fc.record({ act: fc.constant("end" as const), writer, commits: fc.boolean() }),
        fc.record({ act: fc.constant("read" as const), reader: fc.nat(1), limit: fc.integer({ min: 1, max: 3 }) }),
      );
      const play = async (steps: (typeof anyStep extends fc.Arbitrary<infer Step> ? Step : never)[]) => {
        await passHorizon(db);
        const { next_cursor: start } = (await since(api, null)).body;
        const before = (await storedOrder(db)).length;
        const writers = await Promise.all(
          pools.map(async (pool) => ({ session: await pool.connect(), isOpen: false })),
        );
        const readers = [0, 1].map(() => ({ cursor: start, seen: [] as string[] }));
        const read = async (reader: (typeof readers)[number], limit: number): Promise<boolean> => {
          const { body } = await since(api, reader.cursor, `limit=${limit}`);
          reader.seen.push(...body.data.map((event: { id: string }) => event.id));
          reader.cursor = body.next_cursor;
          return body.has_more;
        };
        for (const step of steps) {
          if (step.act === "read") {
            for (const reader of readers.slice(step.reader, step.reader + 1)) await read(reader, step.limit);
            continue;
          }
          for (const chosen of writers.slice(step.writer, step.writer + 1)) {
            if (step.act === "write") await chosen.session.query(eventOf(trade));
            else if (chosen.isOpen === (step.act === "end")) {
              await chosen.session.query(step.act === "begin" ? "begin" : step.commits ? "commit" : "rollback");
              chosen.isOpen = step.act === "begin";
            }
          }
        }
        for (const { session } of writers) {
          await session.query("commit");
          session.release();
        }
        await passHorizon(db);
        for (const reader of readers) while (await read(reader, 3));
        const written = (await storedOrder(db)).slice(before);
        for (const { seen } of readers) expect(seen).toEqual(written);
      };
      await fc.assert(fc.asyncProperty(fc.array(anyStep, { minLength: 10, maxLength: 40 }), play), {
        numRuns: 25,
      });
    },
  );
});

describe("replay filters", () => {
  test("filters return the events that an independent filter selects, in the same order", async () => {
    const { api, db } = await openFreshApi();
    const wallets = [
      await aSeededTrader(db, { username: "Sharp", grade: "A" }),
      await aSeededTrader(db, { username: "sharp", grade: "C" }),
      await aSeededTrader(db, { grade: "S" }),
      await aSeededTrader(db),
    ] as const;
    const grades = ["A", "C", "S", null];
    const markets = [await aMarket(db), await aMarket(db)] as const;
    // Around 6,000.01 dollars, where half a cent more or less decides.
    const sizes = [5_000_000_000n, 6_000_004_999n, 6_000_005_000n, 6_000_014_999n, 6_000_015_000n];
    const facts: { trade: number; wallet: number; market: number; size: bigint }[] = [];
    for (const [wallet, owner] of wallets.entries())
      for (const [market, row] of markets.entries())
        for (const size of sizes)
          facts.push({
            trade: await aLargeTrade(db, { trader: owner, market: row, sizeUsdMicro: size }),
            wallet,
            market,
            size,
          });
    await publishLargeTrades(db);
    await passHorizon(db);
    const RANK = ["S", "A", "B", "C", "D", "F"];
    const atLeast = (letter: string) => (wallet: number) => {
      const grade = grades[wallet] ?? null;
      return grade !== null && RANK.indexOf(grade) <= RANK.indexOf(letter);
    };
    type Passes = (fact: (typeof facts)[number]) => boolean;
    const by = (name: string, values: [string, Passes][]): [string, Passes][] => [
      ["", () => true],
      ...values.map(([value, passes]): [string, Passes] => [`${name}=${encodeURIComponent(value)}`, passes]),
    ];
    const traders = by("trader", [
      [wallets[0].address, ({ wallet }) => wallet === 0],
      [wallets[0].address.toUpperCase().replace("0X", "0x"), ({ wallet }) => wallet === 0],
      [`trd_${wallets[3].id}`, ({ wallet }) => wallet === 3],
      [`trd_${wallets[2].address}`, ({ wallet }) => wallet === 2],
      // The first seen of several traders with the same name.
      ["SHARP", ({ wallet }) => wallet === 0],
      ["nobody", () => false],
      ["trd_999999", () => false],
      [`0x${"e".repeat(40)}`, () => false],
    ]);
    const conditions = by("condition_id", [
      [markets[0].conditionId, ({ market }) => market === 0],
      [`mkt_${markets[1].id}`, ({ market }) => market === 1],
      ["mkt_999999", () => false],
      [`0x${"9".repeat(64)}`, () => false],
    ]);
    const floors = by("min_grade", [
      ["S", ({ wallet }) => atLeast("S")(wallet)],
      ["B", ({ wallet }) => atLeast("B")(wallet)],
      ["F", ({ wallet }) => atLeast("F")(wallet)],
    ]);
    const bounds = by("min_size", [
      ["0", () => true],
      ["6000.0149", ({ size }) => size >= 6_000_005_000n],
      ["6000.015", ({ size }) => size >= 6_000_015_000n],
      ["6000.01", ({ size }) => size >= 6_000_005_000n],
      ["6.00001e3", ({ size }) => size >= 6_000_005_000n],
      ["1e15", () => false],
    ]);
    const combined: [string, Passes[]][] = [
      ...[traders, conditions, floors, bounds].flatMap((own) =>
        own.map(([query, passes]): [string, Passes[]] => [query, [passes]]),
      ),
      ...traders
        .slice(1, 5)
        .flatMap(([a, first]) =>
          conditions
            .slice(1, 3)
            .flatMap(([b, second]) =>
              floors
                .slice(2)
                .flatMap(([c, third]) =>
                  bounds
                    .slice(2, 4)
                    .map(([d, fourth]): [string, Passes[]] => [[a, b, c, d].join("&"), [first, second, third, fourth]]),
                ),
            ),
        ),
    ];
    for (const [query, passes] of combined) {
      const expected = facts.filter((fact) => passes.every((pass) => pass(fact))).map(({ trade }) => trade);
      const pages = await walkFrom(api, await beginning(api, query), `${query}&limit=7`);
      expect({ query, trades: pages.flatMap(tradesOf) }).toEqual({ query, trades: expected });
      expect({ query, newest: tradesOf(await since(api, null, `${query}&limit=3`)) }).toEqual({
        query,
        newest: expected.slice(-3),
      });
      // Exact within one walk: a full page without further matches has has_more false.
      expect({ query, more: pages.map(({ body }) => body.has_more) }).toEqual({
        query,
        more: pages.map((_, index) => (index + 1) * 7 < expected.length),
      });
    }
  });

  test("the grade filter uses the current grade", async () => {
    const { api, db } = await openFreshApi();
    const wallet = await aSeededTrader(db, { grade: "F" });
    const trade = await aPublishedLargeTrade(db, { trader: wallet, gradeAtTrade: "F", gradeAtTradeStatus: "graded" });
    await passHorizon(db);
    const from = await beginning(api, "min_grade=A");
    expect(tradesOf(await since(api, from, "min_grade=A"))).toEqual([]);
    await db.execute(sql`update traders set grade = 'A' where id = ${wallet.id}`);
    expect(tradesOf(await since(api, from, "min_grade=A"))).toEqual([trade]);
  });

  test("the response echoes the filters as sent, with the market by its condition id", async () => {
    const { api, db } = await openFreshApi();
    const market = await aMarket(db);
    const { body } = await since(api, null, `trader=TRD_1&condition_id=mkt_${market.id}&min_grade=B&min_size=7000.5`);
    const filters = { trader: "TRD_1", condition_id: market.conditionId, min_grade: "B", min_size: 7000.5 };
    expect(body.meta.replay.filters).toEqual(filters);
    expect((await since(api, null)).body.meta.replay).not.toHaveProperty("filters");
  });

  test(
    "a filter with few matches is walked in bounded steps, and the cursor advances over empty pages",
    { timeout: 240_000 },
    async () => {
      const { api, db } = await openFreshApi();
      const wallet = await aSeededTrader(db, { username: "rare" });
      const trade = await aLargeTrade(db);
      await copiesWithEvents(db, trade, 4_500);
      const rare = await aPublishedLargeTrade(db, { trader: wallet });
      await copiesWithEvents(db, trade, 1_000);
      await passHorizon(db);
      const pages = await walkFrom(api, await beginning(api, "trader=rare"), "trader=rare");
      expect(pages.map(tradesOf)).toEqual([[], [], [rare]]);
      expect(pages.map(({ body }) => body.meta.completeness.status)).toEqual(["complete", "complete", "caught_up"]);
      expect(new Set(pages.map(({ body }) => body.next_cursor)).size).toBe(3);
    },
  );

  test("malformed filters are refused", async () => {
    const { api } = await openFreshApi();
    expect(errorOf(await since(api, null, "condition_id=soon"))).toMatchObject({
      status: 400,
      param: "condition_id",
    });
    expect(errorOf(await since(api, null, "min_size=-1"))).toEqual({
      status: 400,
      reason: "invalid_query",
      param: "min_size",
    });
    expect(errorOf(await since(api, null, "min_grade=Z"))).toEqual({
      status: 400,
      reason: "invalid_query",
      param: "min_grade",
    });
  });
});

describe("replay cursor", () => {
  test("a cursor of other filters returns cursor_expired, but spelling and expand may change", async () => {
    const { api, db } = await openFreshApi();
    const market = await aMarket(db);
    const sent = [`trader=Known`, `condition_id=mkt_${market.id}`, "min_grade=B", "min_size=10"];
    const cursor = await beginning(api, sent.join("&"));
    for (const omitted of sent.keys()) {
      const others = sent.filter((_, index) => index !== omitted).join("&");
      expect(errorOf(await since(api, cursor, others))).toEqual(EXPIRED);
    }
    expect(errorOf(await since(api, cursor, sent.with(3, "min_size=11").join("&")))).toEqual(EXPIRED);
    const sameFilters = [
      "trader=known",
      `condition_id=${market.conditionId}`,
      "min_grade=B",
      "min_size=1e1",
      "expand=trade",
      "limit=3",
    ];
    expect((await since(api, cursor, sameFilters.join("&"))).status).toBe(200);
  });

  test("a cursor before pruned events returns cursor_expired, also during a walk", async () => {
    const { api, db, openPool } = await openFreshApi();
    const [old, younger] = [await aPublishedLargeTrade(db), await aPublishedLargeTrade(db)];
    await passHorizon(db);
    const { body } = await since(api, null);
    const [behindOld] = body.data;
    const from = await beginning(api);
    await db.execute(sql`update events set created_at = now() - interval '8 days' where large_trade_id = ${old}`);
    await inTransaction(openPool(), (session) => pruneOutbox(session, new Date()));
    expect(errorOf(await since(api, from))).toEqual(EXPIRED);
    expect(tradesOf(await since(api, behindOld.cursor))).toEqual([younger]);
    const restarted = await since(api, null);
    expect(tradesOf(restarted)).toEqual([younger]);
    expect(restarted.body.meta.retention.retained_events).toBe(1);
  });

  test("a cursor stays valid after all events have been pruned", async () => {
    const { api, db, openPool } = await openFreshApi();
    await aPublishedLargeTrade(db);
    await db.execute(sql`update events set created_at = now() - interval '8 days'`);
    await passHorizon(db);
    await inTransaction(openPool(), (session) => pruneOutbox(session, new Date()));
    const empty = await since(api, null);
    expect(empty.body).toMatchObject({ data: [], meta: { retention: { retained_events: 0 } } });
    const trade = await aPublishedLargeTrade(db);
    await passHorizon(db);
    expect(tradesOf(await since(api, empty.body.next_cursor))).toEqual([trade]);
  });

  test("a cursor from an earlier epoch returns cursor_expired, and the new epoch starts with its own events", async () => {
    const { api, db } = await openFreshApi();
    await aPublishedLargeTrade(db);
    await passHorizon(db);
    const { body } = await since(api, null);
    await db.execute(sql`insert into outbox_epoch (epoch) values (2)`);
    for (const cursor of [body.next_cursor, body.data[0].cursor, body.meta.replay.from_cursor])
      expect(errorOf(await since(api, cursor))).toEqual(EXPIRED);
    expect((await since(api, null)).body).toMatchObject({ data: [], meta: { retention: { retained_events: 0 } } });
    const trade = await aPublishedLargeTrade(db);
    await passHorizon(db);
    const after = await since(api, null);
    expect(tradesOf(after)).toEqual([trade]);
    expect(after.body.data[0].id).toMatch(/^ef_2_/);
    expect(after.body.meta.retention.retained_events).toBe(1);
  });

  test("a cursor beyond the database's last transaction returns cursor_expired, because a failover has lost its events", async () => {
    const { api, db } = await openFreshApi();
    await aPublishedLargeTrade(db);
    await passHorizon(db);
    const { next_cursor: cursor } = (await since(api, null)).body;
    expect((await since(api, await resignedCursor(cursor, {}))).status).toBe(200);
    expect(errorOf(await since(api, await resignedCursor(cursor, { commitXid: "999999999999" })))).toEqual(EXPIRED);
  });

  test("a cursor in another release's format returns cursor_expired", async () => {
    const { api } = await openFreshApi();
    const { next_cursor: cursor } = (await since(api, null)).body;
    expect(errorOf(await since(api, await resignedCursor(cursor, { epoch: "one" })))).toEqual(EXPIRED);
  });

  test.each(["evr_", "evr_x.y", "lt_eyJhIjoxfQ.c2lnbmVk", "soon", "1", "evr_eyJleGFtcGxlIjoxfQ.c2lnbmVk"])(
    "the foreign cursor %s returns invalid_query",
    async (cursor) => {
      const { api } = await openFreshApi();
      expect(errorOf(await since(api, cursor))).toEqual({ status: 400, reason: "invalid_query", param: "cursor" });
    },
  );

  test("a cursor with one changed character returns invalid_query", async () => {
    const { api, db } = await openFreshApi();
    await aPublishedLargeTrade(db);
    const { next_cursor: cursor } = (await since(api, null)).body;
    for (const at of [5, 20, cursor.length - 10, cursor.length - 5]) {
      const changed = cursor.slice(0, at) + (cursor[at] === "A" ? "B" : "A") + cursor.slice(at + 1);
      expect(errorOf(await since(api, changed))).toEqual({ status: 400, reason: "invalid_query", param: "cursor" });
    }
    expect(errorOf(await since(api, cursor.slice(0, -1)))).toMatchObject({ reason: "invalid_query" });
  });
});

describe("expand=trade", () => {
  test.each([
    "expand=trade",
    "expand[]=trade",
    "expand=trade&expand=trade",
    "expand=other,trade",
    "expand[]=other&expand[]=trade",
  ])("the query %s adds each trade in the form of its own operation", async (query) => {
    const { api, db } = await openFreshApi();
    const trades = [await aPublishedLargeTrade(db), await aPublishedLargeTrade(db)];
    await passHorizon(db);
    const { body } = await since(api, null, query);
    expect(body.meta.replay.expand).toEqual(["trade"]);
    expect(departures("EventReplayResponse", body)).toEqual([]);
    for (const [index, id] of trades.entries()) {
      const { counterparty_analysis: _, ...own } = (await api.get(`/api/v1/large-trades/wt_${id}`)).body.data;
      expect(body.data[index].trade).toEqual(own);
    }
  });

  test.each(["expand=other", "expand=", ""])('the query "%s" adds no trade', async (query) => {
    const { api, db } = await openFreshApi();
    await aPublishedLargeTrade(db);
    await passHorizon(db);
    const { body } = await since(api, null, query);
    expect(body.meta.replay.expand).toEqual([]);
    expect(body.data[0]).not.toHaveProperty("trade");
  });

  test("a page without events can be expanded", async () => {
    const { api } = await openFreshApi();
    expect((await since(api, null, "expand=trade")).body.data).toEqual([]);
  });
});

describe("retained_events", () => {
  test("retained_events is exact before and after each count and with events beyond the horizon", async () => {
    const { api, db, openPool } = await openFreshApi();
    const pool = openPool();
    const retained = async () => (await since(api, null)).body.meta.retention.retained_events;
    const trade = await aLargeTrade(db);
    await copiesWithEvents(db, trade, 10);
    await db.execute(
      sql`insert into events (epoch, type, payload) values (1, 'large_positions_updated', '{"count": 1}')`,
    );
    expect(await retained()).toBe(10);
    await passHorizon(db);
    await inTransaction(pool, (session) => pruneOutbox(session, new Date()));
    expect(await retained()).toBe(10);
    await copiesWithEvents(db, trade, 3);
    expect(await retained()).toBe(13);
    // Begins before the count and commits after it.
    const late = await openPool().connect();
    await late.query("begin");
    await late.query(eventOf(trade));
    await copiesWithEvents(db, trade, 2);
    await inTransaction(pool, (session) => pruneOutbox(session, new Date()));
    expect(await retained()).toBe(15);
    await late.query("commit");
    late.release();
    expect(await retained()).toBe(16);
    await passHorizon(db);
    await db.execute(
      sql`update events set created_at = now() - interval '8 days' where id <= (select id from events order by id offset 4 limit 1)`,
    );
    await inTransaction(pool, (session) => pruneOutbox(session, new Date()));
    expect(await retained()).toBe(11);
    await inTransaction(pool, (session) => pruneOutbox(session, new Date()));
    expect(await retained()).toBe(11);
  });
});

/** A validly signed cursor with changed fields. */
function resignedCursor(cursor: string, facts: Record<string, unknown>): Promise<string> {
  const [encoded = ""] = cursor.slice("evr_".length).split(".");
  const position = JSON.parse(atob(encoded.replaceAll("-", "+").replaceAll("_", "/")));
  const binding = {
    keys: { current: "test-cursor-secret-of-32-bytes-or-more", previous: [] },
    prefix: "evr_",
    list: "getEventReplaySince",
    filters: "",
  };
  return signCursor(binding, { ...position, ...facts });
}

/** A statement that inserts another event of a trade. */
const eventOf = (trade: number): string =>
  `insert into events (epoch, type, payload, large_trade_id) values ((select max(epoch) from outbox_epoch), 'large_trade_inserted_v2', '{}', ${trade}) returning id`;

/** Inserts this many events of one trade in one transaction. */
async function copiesWithEvents(db: Database, trade: number, count: number): Promise<void> {
  await db.execute(
    sql`insert into events (epoch, type, payload, large_trade_id)
      select (select max(epoch) from outbox_epoch), 'large_trade_inserted_v2', '{}', ${trade} from generate_series(1, ${count}::int)`,
  );
}
