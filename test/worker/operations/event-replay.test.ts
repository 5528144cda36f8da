import { sql } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, inject, test } from "vitest";
import { signCursor } from "../../../src/api/cursor.ts";
import { inTransaction, type Database } from "../../../src/db/client.ts";
import { pruneOutbox } from "../../../src/ingest/prune-outbox.ts";
import { departures } from "../../contract/contract.ts";
import type { Answer, ApiUnderTest } from "../../support/api-under-test.ts";
import { openFreshApi, refusalOf } from "../../support/fresh-api.ts";
import { aLargeTrade, aToldLargeTrade, passHorizon, tellOfLargeTrades } from "../../support/seed/large-trades.ts";
import { aMarket } from "../../support/seed/markets.ts";
import { aWallet } from "../../support/seed/wallets.ts";

const REPLAY = "/api/v1/events/feed/since";
const EXPIRED = { status: 400, reason: "cursor_expired", param: "cursor" };

/** Numbers of the trades that a page tells of, in its order. */
const tradesOf = (answer: Answer): number[] => {
  expect({ status: answer.status, body: answer.status === 200 ? null : answer.text }).toEqual({ status: 200, body: null });
  return answer.body.data.map((event: { sequence: number }) => event.sequence);
};

/** Asks for what is behind a cursor, or for the newest without one. */
const since = (api: ApiUnderTest, cursor: string | null, query = "") =>
  api.get(`${REPLAY}?${query}${cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`}`);

/** Pages from a place until nothing more can be read. */
async function walkFrom(api: ApiUnderTest, cursor: string | null, query = ""): Promise<Answer[]> {
  const pages = [await since(api, cursor, query)];
  while (pages.at(-1)?.body.has_more === true) pages.push(await since(api, pages.at(-1)?.body.next_cursor, query));
  return pages;
}

/** The place before every event that is kept. */
const beginning = async (api: ApiUnderTest, query = ""): Promise<string> => (await since(api, null, query)).body.meta.replay.from_cursor;

/** The ids of the events in the order in which they have to be read: sorted here, and not by the database. */
async function storedOrder(db: Database): Promise<string[]> {
  const { rows } = await db.execute(sql`select commit_xid::text as xid, id::text as id from events where large_trade_id is not null`);
  const pairs = rows.map((row) => ({ xid: BigInt(String(row["xid"])), id: BigInt(String(row["id"])) }));
  pairs.sort((a, b) => (a.xid === b.xid ? Number(a.id - b.id) : a.xid < b.xid ? -1 : 1));
  return pairs.map(({ id }) => `ef_1_${id}`);
}

describe("a walk", () => {
  test("has every event once, in the order of commit, whatever the page size, and says how far it came", async () => {
    const { api, db } = await openFreshApi();
    const trades: number[] = [];
    for (let n = 0; n < 7; n++) trades.push(await aToldLargeTrade(db));
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

  test("goes on right behind any event by that event's own cursor", async () => {
    const { api, db } = await openFreshApi();
    const trades = [await aToldLargeTrade(db), await aToldLargeTrade(db), await aToldLargeTrade(db)];
    await passHorizon(db);
    const { body } = await since(api, null);
    for (const [place, event] of body.data.entries()) {
      expect(tradesOf(await since(api, event.cursor))).toEqual(trades.slice(place + 1));
    }
  });

  test("tells what is stored of an event, with an id that stays", async () => {
    const { api, db } = await openFreshApi();
    const [wallet, market] = [await aWallet(db), await aMarket(db)];
    const trade = await aToldLargeTrade(db, { wallet, market });
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
      payload: { count: 1, whale_alert_id: trade, condition_id: market.conditionId, trader_id: wallet.id, platform: "polymarket" },
      freshness: { status: "observed", observed_at: rows[0]?.["at"] },
    });
    expect(first).not.toHaveProperty("trade");
    expect((await since(api, null)).body.data[0]).toEqual(first);
  });

  test("without a cursor begins with the newest, and ends where what comes goes on", async () => {
    const { api, db } = await openFreshApi();
    const trades: number[] = [];
    for (let n = 0; n < 5; n++) trades.push(await aToldLargeTrade(db));
    await passHorizon(db);
    const newest = await since(api, null, "limit=2");
    expect(tradesOf(newest)).toEqual(trades.slice(-2));
    expect(newest.body).toMatchObject({ has_more: false, meta: { completeness: { status: "caught_up" }, replay: { from_sequence: 0 } } });
    const next = await aToldLargeTrade(db);
    await passHorizon(db);
    expect(tradesOf(await since(api, newest.body.next_cursor))).toEqual([next]);
  });

  test("an empty cursor is none", async () => {
    const { api, db } = await openFreshApi();
    const trade = await aToldLargeTrade(db);
    await passHorizon(db);
    expect(tradesOf(await since(api, ""))).toEqual([trade]);
  });

  test("of an outbox without large trades always has a place to go on from, which moves past other events", async () => {
    const { api, db } = await openFreshApi();
    const empty = await since(api, null);
    expect(empty.body).toMatchObject({ data: [], has_more: false, meta: { replay: { from_sequence: 0, to_sequence: 0 } } });
    await db.execute(sql`insert into events (epoch, type, payload) values (1, 'large_positions_updated', '{"count": 1}')`);
    await passHorizon(db);
    const moved = await since(api, empty.body.next_cursor);
    expect(moved.body).toMatchObject({ data: [], has_more: false, meta: { retention: { retained_events: 0 } } });
    expect(moved.body.next_cursor).not.toBe(empty.body.next_cursor);
    const trade = await aToldLargeTrade(db);
    await passHorizon(db);
    for (const cursor of [empty.body.next_cursor, moved.body.next_cursor]) expect(tradesOf(await since(api, cursor))).toEqual([trade]);
  });

  test("brings the limit into its range", async () => {
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

describe("below the horizon", () => {
  test("what commits late comes later and what was committed beside it waits: no event is passed over", async () => {
    const { api, db, openPool } = await openFreshApi();
    const [early, late] = [await aLargeTrade(db), await aLargeTrade(db)];
    await passHorizon(db);
    const before = await since(api, null);
    const session = await openPool().connect();
    await session.query("begin");
    await session.query(eventOf(early));
    await db.execute(sql.raw(eventOf(late)));
    const held = await since(api, before.body.next_cursor);
    expect(held.body).toMatchObject({ data: [], has_more: false, meta: { replay: { pending_beyond_horizon: true } } });
    expect(held.body.meta.completeness.status).toBe("caught_up");
    expect((await since(api, null)).body.data).toEqual([]);
    await session.query("commit");
    session.release();
    await passHorizon(db);
    for (const cursor of [before.body.next_cursor, held.body.next_cursor]) {
      const after = await since(api, cursor);
      expect(tradesOf(after)).toEqual([early, late]);
      expect(after.body.meta.replay.pending_beyond_horizon).toBe(false);
    }
  });

  test("random writers, readers and pages: every event once, in one order, for every reader", { timeout: 120_000 }, async () => {
    const { api, db, openPool } = await openFreshApi();
    const trade = await aLargeTrade(db);
    const pools = [openPool(), openPool(), openPool()];
    const writer = fc.nat(pools.length - 1);
    const step = fc.oneof(
      fc.record({ act: fc.constant("begin" as const), writer }),
      fc.record({ act: fc.constant("write" as const), writer }),
      fc.record({ act: fc.constant("end" as const), writer, commits: fc.boolean() }),
      fc.record({ act: fc.constant("read" as const), reader: fc.nat(1), limit: fc.integer({ min: 1, max: 3 }) }),
    );
    const play = async (steps: (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]) => {
      await passHorizon(db);
      const { next_cursor: start } = (await since(api, null)).body;
      const before = (await storedOrder(db)).length;
      const writers = await Promise.all(pools.map(async (pool) => ({ session: await pool.connect(), isOpen: false })));
      const readers = [0, 1].map(() => ({ cursor: start, seen: [] as string[] }));
      const read = async (reader: (typeof readers)[number], limit: number): Promise<boolean> => {
        const { body } = await since(api, reader.cursor, `limit=${limit}`);
        reader.seen.push(...body.data.map((event: { id: string }) => event.id));
        reader.cursor = body.next_cursor;
        return body.has_more;
      };
      for (const made of steps) {
        if (made.act === "read") {
          for (const reader of readers.slice(made.reader, made.reader + 1)) await read(reader, made.limit);
          continue;
        }
        for (const chosen of writers.slice(made.writer, made.writer + 1)) {
          if (made.act === "write") await chosen.session.query(eventOf(trade));
          else if (chosen.isOpen === (made.act === "end")) {
            await chosen.session.query(made.act === "begin" ? "begin" : made.commits ? "commit" : "rollback");
            chosen.isOpen = made.act === "begin";
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
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), play), { numRuns: 25, seed: inject("fuzzSeed") });
  });
});

describe("filters", () => {
  test("pass what an own reading of them passes, in the same order", async () => {
    const { api, db } = await openFreshApi();
    const wallets = [
      await aWallet(db, { username: "Sharp", grade: "A" }),
      await aWallet(db, { username: "sharp", grade: "C" }),
      await aWallet(db, { grade: "S" }),
      await aWallet(db),
    ] as const;
    const grades = ["A", "C", "S", null];
    const markets = [await aMarket(db), await aMarket(db)] as const;
    // About 6,000.01 dollars, where a bound of half a cent more or less decides.
    const sizes = [5_000_000_000n, 6_000_004_999n, 6_000_005_000n, 6_000_014_999n, 6_000_015_000n];
    const facts: { trade: number; wallet: number; market: number; size: bigint }[] = [];
    for (const [wallet, owner] of wallets.entries())
      for (const [market, where] of markets.entries())
        for (const size of sizes)
          facts.push({ trade: await aLargeTrade(db, { wallet: owner, market: where, sizeUsdMicro: size }), wallet, market, size });
    await tellOfLargeTrades(db);
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
      // Of several who use a name, the one seen first.
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
      ...[traders, conditions, floors, bounds].flatMap((own) => own.map(([query, passes]): [string, Passes[]] => [query, [passes]])),
      ...traders
        .slice(1, 5)
        .flatMap(([a, first]) =>
          conditions
            .slice(1, 3)
            .flatMap(([b, second]) =>
              floors
                .slice(2)
                .flatMap(([c, third]) =>
                  bounds.slice(2, 4).map(([d, fourth]): [string, Passes[]] => [[a, b, c, d].join("&"), [first, second, third, fourth]]),
                ),
            ),
        ),
    ];
    for (const [query, passes] of combined) {
      const expected = facts.filter((fact) => passes.every((pass) => pass(fact))).map(({ trade }) => trade);
      const pages = await walkFrom(api, await beginning(api, query), `${query}&limit=7`);
      expect({ query, trades: pages.flatMap(tradesOf) }).toEqual({ query, trades: expected });
      expect({ query, newest: tradesOf(await since(api, null, `${query}&limit=3`)) }).toEqual({ query, newest: expected.slice(-3) });
      // Exact where everything lies within one walk: a page that is full by chance and has nothing behind it says so.
      expect({ query, more: pages.map(({ body }) => body.has_more) }).toEqual({
        query,
        more: pages.map((_, index) => (index + 1) * 7 < expected.length),
      });
    }
  });

  test("by grade look at today's", async () => {
    const { api, db } = await openFreshApi();
    const wallet = await aWallet(db, { grade: "F" });
    const trade = await aToldLargeTrade(db, { wallet, gradeAtTrade: "F", gradeAtTradeStatus: "graded" });
    await passHorizon(db);
    const from = await beginning(api, "min_grade=A");
    expect(tradesOf(await since(api, from, "min_grade=A"))).toEqual([]);
    await db.execute(sql`update traders set grade = 'A' where id = ${wallet.id}`);
    expect(tradesOf(await since(api, from, "min_grade=A"))).toEqual([trade]);
  });

  test("are told again as they were sent, the market by its condition id", async () => {
    const { api, db } = await openFreshApi();
    const market = await aMarket(db);
    const { body } = await since(api, null, `trader=TRD_1&condition_id=mkt_${market.id}&min_grade=B&min_size=7000.5`);
    const filters = { trader: "TRD_1", condition_id: market.conditionId, min_grade: "B", min_size: 7000.5 };
    expect(body.meta.replay.filters).toEqual(filters);
    expect((await since(api, null)).body.meta.replay).not.toHaveProperty("filters");
  });

  test("that hardly anything passes are walked in bounded steps, and the place moves over empty pages", { timeout: 60_000 }, async () => {
    const { api, db } = await openFreshApi();
    const wallet = await aWallet(db, { username: "rare" });
    const trade = await aLargeTrade(db);
    await copiesWithEvents(db, trade, 4_500);
    const rare = await aToldLargeTrade(db, { wallet });
    await copiesWithEvents(db, trade, 1_000);
    await passHorizon(db);
    const pages = await walkFrom(api, await beginning(api, "trader=rare"), "trader=rare");
    expect(pages.map(tradesOf)).toEqual([[], [], [rare]]);
    expect(pages.map(({ body }) => body.meta.completeness.status)).toEqual(["complete", "complete", "caught_up"]);
    expect(new Set(pages.map(({ body }) => body.next_cursor)).size).toBe(3);
  });

  test("of a form that no market has are refused", async () => {
    const { api } = await openFreshApi();
    expect(refusalOf(await since(api, null, "condition_id=soon"))).toMatchObject({ status: 400, param: "condition_id" });
    expect(refusalOf(await since(api, null, "min_size=-1"))).toEqual({ status: 400, reason: "invalid_query", param: "min_size" });
    expect(refusalOf(await since(api, null, "min_grade=Z"))).toEqual({ status: 400, reason: "invalid_query", param: "min_grade" });
  });
});

describe("a cursor", () => {
  test("of other filters is expired, whichever filter it is; how they are spelt and what is expanded does not matter", async () => {
    const { api, db } = await openFreshApi();
    const market = await aMarket(db);
    const sent = [`trader=Known`, `condition_id=mkt_${market.id}`, "min_grade=B", "min_size=10"];
    const cursor = await beginning(api, sent.join("&"));
    for (const left of sent.keys()) {
      const others = sent.filter((_, place) => place !== left).join("&");
      expect(refusalOf(await since(api, cursor, others))).toEqual(EXPIRED);
    }
    expect(refusalOf(await since(api, cursor, sent.with(3, "min_size=11").join("&")))).toEqual(EXPIRED);
    const respelt = ["trader=known", `condition_id=${market.conditionId}`, "min_grade=B", "min_size=1e1", "expand=trade", "limit=3"];
    expect((await since(api, cursor, respelt.join("&"))).status).toBe(200);
  });

  test("behind which events were taken away for their age is expired, also in a walk that is under way", async () => {
    const { api, db, openPool } = await openFreshApi();
    const [old, younger] = [await aToldLargeTrade(db), await aToldLargeTrade(db)];
    await passHorizon(db);
    const { body } = await since(api, null);
    const [behindOld] = body.data;
    const from = await beginning(api);
    await db.execute(sql`update events set created_at = now() - interval '8 days' where large_trade_id = ${old}`);
    await inTransaction(openPool(), (session) => pruneOutbox(session, new Date()));
    expect(refusalOf(await since(api, from))).toEqual(EXPIRED);
    expect(tradesOf(await since(api, behindOld.cursor))).toEqual([younger]);
    const anew = await since(api, null);
    expect(tradesOf(anew)).toEqual([younger]);
    expect(anew.body.meta.retention.retained_events).toBe(1);
  });

  test("that an outbox gave out whose events are all gone goes on", async () => {
    const { api, db, openPool } = await openFreshApi();
    await aToldLargeTrade(db);
    await db.execute(sql`update events set created_at = now() - interval '8 days'`);
    await passHorizon(db);
    await inTransaction(openPool(), (session) => pruneOutbox(session, new Date()));
    const empty = await since(api, null);
    expect(empty.body).toMatchObject({ data: [], meta: { retention: { retained_events: 0 } } });
    const trade = await aToldLargeTrade(db);
    await passHorizon(db);
    expect(tradesOf(await since(api, empty.body.next_cursor))).toEqual([trade]);
  });

  test("of an epoch that is over is expired, and the new epoch begins with its own events", async () => {
    const { api, db } = await openFreshApi();
    await aToldLargeTrade(db);
    await passHorizon(db);
    const { body } = await since(api, null);
    await db.execute(sql`insert into outbox_epoch (epoch) values (2)`);
    for (const cursor of [body.next_cursor, body.data[0].cursor, body.meta.replay.from_cursor])
      expect(refusalOf(await since(api, cursor))).toEqual(EXPIRED);
    expect((await since(api, null)).body).toMatchObject({ data: [], meta: { retention: { retained_events: 0 } } });
    const trade = await aToldLargeTrade(db);
    await passHorizon(db);
    const after = await since(api, null);
    expect(tradesOf(after)).toEqual([trade]);
    expect(after.body.data[0].id).toMatch(/^ef_2_/);
    expect(after.body.meta.retention.retained_events).toBe(1);
  });

  test("beyond everything that this database has seen is expired: a failover has taken back what it stands behind", async () => {
    const { api, db } = await openFreshApi();
    await aToldLargeTrade(db);
    await passHorizon(db);
    const { next_cursor: cursor } = (await since(api, null)).body;
    expect((await since(api, await resigned(cursor, {}))).status).toBe(200);
    expect(refusalOf(await since(api, await resigned(cursor, { commitXid: "999999999999" })))).toEqual(EXPIRED);
  });

  test("of another release's form is expired", async () => {
    const { api } = await openFreshApi();
    const { next_cursor: cursor } = (await since(api, null)).body;
    expect(refusalOf(await since(api, await resigned(cursor, { epoch: "one" })))).toEqual(EXPIRED);
  });

  test.each(["evr_", "evr_x.y", "lt_eyJhIjoxfQ.c2lnbmVk", "soon", "1", "evr_eyJleGFtcGxlIjoxfQ.c2lnbmVk"])(
    "%s, which is none of ours, is refused",
    async (cursor) => {
      const { api } = await openFreshApi();
      expect(refusalOf(await since(api, cursor))).toEqual({ status: 400, reason: "invalid_query", param: "cursor" });
    },
  );

  test("with one character changed is refused", async () => {
    const { api, db } = await openFreshApi();
    await aToldLargeTrade(db);
    const { next_cursor: cursor } = (await since(api, null)).body;
    for (const place of [5, 20, cursor.length - 10, cursor.length - 5]) {
      const changed = cursor.slice(0, place) + (cursor[place] === "A" ? "B" : "A") + cursor.slice(place + 1);
      expect(refusalOf(await since(api, changed))).toEqual({ status: 400, reason: "invalid_query", param: "cursor" });
    }
    expect(refusalOf(await since(api, cursor.slice(0, -1)))).toMatchObject({ reason: "invalid_query" });
  });
});

describe("expand=trade", () => {
  test.each(["expand=trade", "expand[]=trade", "expand=trade&expand=trade", "expand=other,trade", "expand[]=other&expand[]=trade"])(
    "as %s shows each trade as its own operation does",
    async (query) => {
      const { api, db } = await openFreshApi();
      const trades = [await aToldLargeTrade(db), await aToldLargeTrade(db)];
      await passHorizon(db);
      const { body } = await since(api, null, query);
      expect(body.meta.replay.expand).toEqual(["trade"]);
      expect(departures("EventReplayResponse", body)).toEqual([]);
      for (const [place, id] of trades.entries()) {
        const { counterparty_analysis: _, ...own } = (await api.get(`/api/v1/large-trades/wt_${id}`)).body.data;
        expect(body.data[place].trade).toEqual(own);
      }
    },
  );

  test.each(["expand=other", "expand=", ""])("%s adds nothing", async (query) => {
    const { api, db } = await openFreshApi();
    await aToldLargeTrade(db);
    await passHorizon(db);
    const { body } = await since(api, null, query);
    expect(body.meta.replay.expand).toEqual([]);
    expect(body.data[0]).not.toHaveProperty("trade");
  });

  test("of a page without events is answered", async () => {
    const { api } = await openFreshApi();
    expect((await since(api, null, "expand=trade")).body.data).toEqual([]);
  });
});

describe("retained_events", () => {
  test("counts what is kept exactly, before the first counting, after it, and beside what is held back", async () => {
    const { api, db, openPool } = await openFreshApi();
    const pool = openPool();
    const retained = async () => (await since(api, null)).body.meta.retention.retained_events;
    const trade = await aLargeTrade(db);
    await copiesWithEvents(db, trade, 10);
    await db.execute(sql`insert into events (epoch, type, payload) values (1, 'large_positions_updated', '{"count": 1}')`);
    expect(await retained()).toBe(10);
    await passHorizon(db);
    await inTransaction(pool, (session) => pruneOutbox(session, new Date()));
    expect(await retained()).toBe(10);
    await copiesWithEvents(db, trade, 3);
    expect(await retained()).toBe(13);
    // Begun before the counting and committed after it.
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

/** A cursor of ours with other facts inside. */
function resigned(cursor: string, facts: Record<string, unknown>): Promise<string> {
  const [encoded = ""] = cursor.slice("evr_".length).split(".");
  const place = JSON.parse(atob(encoded.replaceAll("-", "+").replaceAll("_", "/")));
  const binding = { secret: "test-cursor-secret-of-32-bytes-or-more", prefix: "evr_", list: "getEventReplaySince", filters: "" };
  return signCursor(binding, { ...place, ...facts });
}

/** A statement that writes another event of a trade. */
const eventOf = (trade: number): string =>
  `insert into events (epoch, type, payload, large_trade_id) values ((select max(epoch) from outbox_epoch), 'large_trade_inserted_v2', '{}', ${trade}) returning id`;

/** More events of one trade, in one transaction. */
async function copiesWithEvents(db: Database, trade: number, count: number): Promise<void> {
  await db.execute(
    sql`insert into events (epoch, type, payload, large_trade_id)
      select (select max(epoch) from outbox_epoch), 'large_trade_inserted_v2', '{}', ${trade} from generate_series(1, ${count}::int)`,
  );
}
