import { describe, expect, test } from "vitest";
import { inTransaction } from "../../../src/db/client.ts";
import { applyBooks } from "../../../src/ingest/markets/apply-books.ts";
import { applyMarkets } from "../../../src/ingest/markets/apply-markets.ts";
import { ProviderRefused, ProviderUnavailable } from "../../../src/platform/provider.ts";
import { aBook, after, CONDITION, END, openEndingMarket, TOKEN } from "../../support/ingest/worlds/ending-market.ts";
import { aProviderMarket, aResolution } from "../../support/ingest/provider/provider-markets.ts";
import { conditionOf, pageOf, tokenOf } from "../../support/ingest/provider/provider-trades.ts";

const RESOLVED_AT = after(37);
/** Profit or loss of ten shares bought at 0.2, in dollars. */
const WON = 8;
const LOST = -2;

describe("book at the market's end", () => {
  test("a book from before the end is dropped at the end, and the market is marked at its last trade", async () => {
    const { saying, readBooks, turn, shown, hastened } = await openEndingMarket();
    saying.books = [aBook("0.7", "0.72", after(-5))];
    await readBooks(after(-4));
    await turn(after(-3));
    expect(await shown(after(-1))).toMatchObject({ phase: "open", price: 0.71, mark: 0.71, due: 0 });
    expect(hastened).toEqual([]);

    await turn(END);
    expect(await shown(END)).toMatchObject({
      phase: "awaiting_result",
      price: 0.2,
      mark: 0.2,
      bid: null,
      value: 2,
      due: 10,
    });
    expect(hastened).toEqual(["value_positions", "build_large_positions", "build_explore"]);
  });

  test("a book from after the end stays live, because the market still trades", async () => {
    const { saying, readBooks, turn, shown } = await openEndingMarket();
    saying.books = [aBook("0.7", "0.72", after(-5))];
    await readBooks(after(-4));
    saying.books = [aBook("0.8", "0.82", after(1))];
    await turn(after(2));
    expect(await shown(after(3))).toMatchObject({ phase: "open", price: 0.81, mark: 0.81, value: 8.1 });
    await turn(after(13));
    expect(await shown(after(14))).toMatchObject({ phase: "open", bid: 0.8 });
  });

  test("a book from before the end is not stored after it, but its last trade is", async () => {
    const { saying, readBooks, shown } = await openEndingMarket();
    saying.books = [aBook("0.7", "0.72", after(-5), "0.33")];
    await readBooks(after(1));
    expect(await shown(after(1))).toMatchObject({ phase: "awaiting_result", bid: null, mark: 0.33, price: 0.33 });
  });

  test.each([
    ["closed", { closed: true, closedAt: after(-100) }, null],
    ["resolved", {}, 1_000_000],
  ])("a book of a %s market is not stored", async (_, market, firstPpm) => {
    const { saying, readBooks, turn, shown, describeAt } = await openEndingMarket();
    if (firstPpm !== null) saying.resolutions = [aResolution(1, firstPpm, RESOLVED_AT)];
    await turn(after(40));
    Object.assign(saying.market, market);
    await describeAt(after(41));
    saying.books = [aBook("0.7", "0.72", after(60))];
    await readBooks(after(61));
    expect(await shown(after(61))).toMatchObject({ bid: null, mark: 0.2 });
  });

  test("a book in a market object that may predate the end is not used", async () => {
    const { saying, describeAt, shown } = await openEndingMarket();
    const outcomes = aProviderMarket(1).outcomes.map((outcome) =>
      outcome.tokenId === TOKEN ? { ...outcome, bestBid: "0.7", bestAsk: "0.72" } : outcome,
    );
    saying.market = { ...saying.market, outcomes };
    await describeAt(after(-1));
    expect(await shown(after(-1))).toMatchObject({ phase: "open", bid: 0.7, mark: 0.71 });
    await describeAt(after(299));
    expect(await shown(after(299))).toMatchObject({ phase: "awaiting_result", bid: null, mark: 0.2 });
    await describeAt(after(300));
    expect(await shown(after(300))).toMatchObject({ phase: "open", bid: 0.7, mark: 0.71 });
  });

  test("a book read after the end is not replaced by a market object that may be older", async () => {
    const { saying, describeAt, readBooks, shown } = await openEndingMarket();
    saying.books = [aBook("0.8", "0.82", after(2))];
    await readBooks(after(3));
    await describeAt(after(60));
    expect(await shown(after(60))).toMatchObject({ phase: "open", bid: 0.8, mark: 0.81 });
  });

  test("a book that disappears before the end makes the market's object due at once", async () => {
    const { saying, readBooks, turn, shown } = await openEndingMarket();
    saying.books = [aBook("0.7", "0.72", after(-120))];
    await readBooks(after(-119));
    saying.books = [];
    saying.market = { ...saying.market, closed: true, closedAt: after(-110) };
    saying.resolutions = [aResolution(1, 0, after(-105))];
    await readBooks(after(-104));
    expect(await shown(after(-104))).toMatchObject({ phase: "awaiting_result", bid: null, price: 0.2, due: -110 });
    await turn(after(-103));
    expect(await shown(after(-103))).toMatchObject({ phase: "resolved", price: 0, settled: LOST });
  });
});

describe("result", () => {
  test.each([
    ["won", 1_000_000, 1, WON],
    ["lost", 0, 0, LOST],
    ["split in halves", 500_000, 0.5, 3],
  ])(
    "the result of a market that was %s is stored within ten seconds of the provider showing it",
    async (_, firstPpm, price, settled) => {
      const { saying, turn, shown, pool } = await openEndingMarket();
      let resolvedAt: number | null = null;
      for (let second = 0; second <= 60 && resolvedAt === null; second += 1) {
        saying.resolutions = second < 37 ? [] : [aResolution(1, firstPpm, RESOLVED_AT)];
        await turn(after(second));
        if ((await shown(after(second))).phase === "resolved") resolvedAt = second;
      }
      expect(resolvedAt).toBeLessThanOrEqual(47);
      expect(await shown(after(60))).toMatchObject({ price, settled, value: null, isChecked: true });
      const { rows } = await pool.query(
        `select state ->> 'since' is not null as announced from ingest_checkpoints where feed = 'results'`,
      );
      expect(rows).toEqual([{ announced: true }]);
    },
  );

  test("a result is requested at the time at which the provider expects it", async () => {
    const { saying, turn, shown } = await openEndingMarket();
    const expectedAt = after(7_215);
    saying.resolutions = [{ ...aResolution(1, null), status: "proposed", expectedAt }];
    await turn(after(7_200));
    expect(await shown(after(7_200))).toMatchObject({ due: 7_217, isChecked: true, settled: null });
  });

  test("a result is requested at once when the market object reports one", async () => {
    const { saying, turn, describeAt, shown, asked } = await openEndingMarket();
    await turn(after(3_600));
    expect(await shown(after(3_600))).toMatchObject({ due: 3_780 });
    expect(await turn(after(3_620))).toBe(false);
    saying.market = { ...saying.market, resolutionStatus: "resolved" };
    saying.resolutions = [aResolution(1, 0, RESOLVED_AT)];
    await describeAt(after(3_621));
    expect(await turn(after(3_622))).toBe(true);
    expect(await shown(after(3_622))).toMatchObject({ phase: "resolved", settled: LOST });
    expect(asked).toHaveLength(2);
  });

  test("a result is requested at once, and again, when a closed market is priced at 0 and 1", async () => {
    const { saying, turn, describeAt, shown } = await openEndingMarket();
    const outcomes = aProviderMarket(1).outcomes.map((outcome, index) => ({
      ...outcome,
      price: index === 0 ? "1" : "0",
    }));
    saying.market = { ...saying.market, closed: true, closedAt: after(-600), outcomes };
    await describeAt(after(-500));
    expect(await shown(after(-500))).toMatchObject({ phase: "awaiting_result", price: 0.2, due: -600 });
    await turn(after(-499));
    expect(await shown(after(-499))).toMatchObject({ due: -489, isChecked: false });
    await describeAt(after(-498));
    expect(await shown(after(-498))).toMatchObject({ due: -498 });
  });

  test("a result can be reversed or withdrawn, and then the last trade values the market", async () => {
    const { saying, turn, shown } = await openEndingMarket({ closed: true, closedAt: END });
    saying.resolutions = [aResolution(1, 1_000_000, RESOLVED_AT)];
    await turn(after(40));
    expect(await shown(after(40))).toMatchObject({ phase: "resolved", price: 1, settled: WON, due: 40 + 6 * 3_600 });
    saying.resolutions = [aResolution(1, 0, RESOLVED_AT)];
    await turn(after(40 + 6 * 3_600));
    expect(await shown(after(30_000))).toMatchObject({ phase: "resolved", price: 0, settled: LOST });
    saying.resolutions = [aResolution(1, null)];
    await turn(after(40 + 12 * 3_600));
    const reopened = await shown(after(50_000));
    expect(reopened).toMatchObject({ phase: "awaiting_result", price: 0.2, settled: null, value: 2 });
    expect(reopened.due).toBeLessThanOrEqual(40 + 12 * 3_600 + 600);
  });

  test("a market whose end moves to a later time has a live book and its result is requested at the new end", async () => {
    const { saying, turn, describeAt, readBooks, shown } = await openEndingMarket();
    await turn(END);
    saying.market = { ...saying.market, endAt: after(86_400) };
    await describeAt(after(30));
    expect(await shown(after(30))).toMatchObject({ due: 86_400 });
    saying.books = [aBook("0.7", "0.72", after(31))];
    await readBooks(after(32));
    expect(await turn(after(40))).toBe(false);
    expect(await shown(after(40))).toMatchObject({ phase: "open", price: 0.71, mark: 0.71, value: 7.1 });
    await turn(after(86_400));
    expect(await shown(after(86_400))).toMatchObject({ phase: "awaiting_result", price: 0.2, bid: null });
  });

  test("a result of a market without an end is not requested before the close", async () => {
    const { saying, turn, describeAt, shown } = await openEndingMarket({ endAt: null });
    expect(await shown(END)).toMatchObject({ phase: "open", due: null });
    expect(await turn(after(864_000))).toBe(false);
    saying.market = { ...saying.market, closed: true, closedAt: after(900_000) };
    saying.resolutions = [aResolution(1, 1_000_000, after(900_001))];
    await describeAt(after(900_010));
    await turn(after(900_011));
    expect(await shown(after(900_011))).toMatchObject({ phase: "resolved", settled: WON });
  });

  test("a market object from before the close does not reopen the market", async () => {
    const { saying, describeAt, shown } = await openEndingMarket();
    saying.market = { ...saying.market, closed: true, closedAt: after(-600) };
    await describeAt(after(-590));
    saying.market = { ...saying.market, closed: false, closedAt: null };
    await describeAt(after(-301));
    expect(await shown(after(-301))).toMatchObject({ phase: "awaiting_result" });
    await describeAt(after(-300));
    expect(await shown(after(-300))).toMatchObject({ phase: "open", due: 0 });
  });
});

describe("response to another request", () => {
  test("rows of other markets are quarantined and settle nothing, and the requested market stays due", async () => {
    const { pool, saying, turn, shown } = await openEndingMarket();
    await applyMarkets(pool, [aProviderMarket(2, { endAt: after(3_600) })], [], after(-60));
    saying.resolutions = [aResolution(2, 1_000_000)];
    await turn(after(5));
    expect(await shown(after(5))).toMatchObject({ phase: "awaiting_result", isChecked: false, due: 15 });
    const { rows } = await pool.query(`select payouts_ppm from markets where condition_id = $1`, [conditionOf(2)]);
    expect(rows).toEqual([{ payouts_ppm: null }]);
    const { rows: quarantined } = await pool.query(
      `select feed, record ->> 'conditionId' as id, reason from quarantined_records`,
    );
    expect(quarantined).toEqual([{ feed: "resolutions", id: conditionOf(2), reason: "its id was not requested" }]);
    saying.resolutions = [aResolution(2, 0), aResolution(1, 1_000_000, RESOLVED_AT)];
    await turn(after(15));
    expect(await shown(after(15))).toMatchObject({ phase: "resolved", settled: WON, isChecked: true });
  });

  test("a book of another token is quarantined and not stored", async () => {
    const { pool, shown } = await openEndingMarket();
    const book = aBook("0.7", "0.72", after(-5));
    await inTransaction(pool, (session) => applyBooks(session, [tokenOf(2, 0)], [book], [], after(-4)));
    expect(await shown(after(-4))).toMatchObject({ bid: null });
    const { rows } = await pool.query(`select feed, record ->> 'tokenId' as id from quarantined_records`);
    expect(rows).toEqual([{ feed: "books", id: TOKEN }]);
  });
});

describe("provider failures", () => {
  test("a condition that the provider refuses does not affect the results of others", async () => {
    const { pool, provider, turn, shown } = await openEndingMarket();
    const others = Array.from({ length: 19 }, (_, n) => aProviderMarket(n + 2, { endAt: END }));
    await applyMarkets(pool, others, [], after(-60));
    const refused = conditionOf(7);
    provider.findResolutions = async (ids) => {
      if (ids.includes(refused)) throw new ProviderRefused("status 400");
      return pageOf(ids.includes(CONDITION) ? [aResolution(1, 1_000_000, RESOLVED_AT)] : []);
    };
    await turn(after(40));
    expect(await shown(after(40))).toMatchObject({ phase: "resolved", settled: WON });
    const { rows } = await pool.query(`select record from quarantined_records`);
    expect(rows).toEqual([{ record: { condition_ids: [refused] } }]);
    expect(await turn(after(41))).toBe(false);
  });

  test("conditions without a response are due again in 15 seconds, and the others are applied", async () => {
    const { pool, provider, turn, shown } = await openEndingMarket();
    const others = Array.from({ length: 20 }, (_, n) => aProviderMarket(n + 2, { endAt: after(-60) }));
    await applyMarkets(pool, others, [], after(-61));
    provider.findResolutions = async (ids) => {
      if (!ids.includes(CONDITION)) throw new ProviderUnavailable("data.other: status 503", null);
      return pageOf([aResolution(1, 1_000_000, RESOLVED_AT)]);
    };
    await expect(turn(after(40))).rejects.toThrow(ProviderUnavailable);
    expect(await shown(after(40))).toMatchObject({ phase: "resolved", settled: WON });
    const { rows } = await pool.query(
      `select distinct result_due_at = $1 as due from markets where payouts_ppm is null`,
      [after(55).toISOString()],
    );
    expect(rows).toEqual([{ due: true }]);
  });

  test("results are applied when the provider fails for books", async () => {
    const { provider, saying, turn, shown } = await openEndingMarket();
    saying.resolutions = [aResolution(1, 0, RESOLVED_AT)];
    provider.findBooks = async () => {
      throw new ProviderUnavailable("clob.books: status 503", null);
    };
    await turn(after(40));
    expect(await shown(after(40))).toMatchObject({ phase: "resolved", settled: LOST });
  });
});
