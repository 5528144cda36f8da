import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { traders } from "../../../../src/db/schema.ts";
import { eq } from "drizzle-orm";
import { openFreshApi, errorOf, type FreshApi } from "../../../support/api/fresh-api.ts";
import { aMarket } from "../../../support/seed/markets.ts";
import { aPosition } from "../../../support/seed/traders/positions.ts";
import { aSeededTrader, type SeededTrader } from "../../../support/seed/traders/traders.ts";

const SYNCED_AT = new Date("2026-11-20T12:00:00Z");
const UNSEEN = `0x${"e".repeat(40)}`;
const usd = (dollars: number) => BigInt(Math.round(dollars * 1_000_000));

/** A complete history: two open positions, one closed, one won and one lost. */
async function aTrader(unpriced = false) {
  const fresh = await openFreshApi();
  const { db } = fresh;
  const totals = { realizedMicro: usd(20), settledMicro: usd(-3), feesMicro: usd(1), rebatesMicro: usd(0.5) };
  const trader = await aSeededTrader(db, { username: "Theo4", completeAt: SYNCED_AT, totals });
  const open = { trader, sharesMicro: usd(100) };
  await aPosition(db, {
    ...open,
    market: await aMarket(db),
    costMicro: usd(40),
    valueMicro: usd(55),
    realizedMicro: usd(6),
    feesMicro: usd(1),
  });
  await aPosition(db, { ...open, market: await aMarket(db), costMicro: usd(10), valueMicro: unpriced ? null : 0n });
  await aPosition(db, { trader, market: await aMarket(db), realizedMicro: usd(9) });
  await aPosition(db, { ...open, market: await aMarket(db), settledMicro: usd(7), realizedMicro: usd(5) });
  await aPosition(db, { ...open, market: await aMarket(db), settledMicro: usd(-10) });
  return { ...fresh, trader, context: `/api/v1/trader/${trader.address}/context` };
}

describe("the context of a trader", () => {
  test("the context has a summary of the trader's positions", async () => {
    const { api, context, trader } = await aTrader();
    const { body } = await api.get(context);
    expect(body.object).toBe("trader_context");
    expect(body.data).toMatchObject({ trader: { address: trader.address }, data_as_of: SYNCED_AT.toISOString() });
    // By hand: 20 - 3 - 1 + 0.50 = 16.50, of which 6 - 1 belong to open positions. These are worth 55 and
    // cost 50. One of two decided markets is won.
    expect(body.data.position_summary).toEqual({
      markets_total: null,
      markets_synced: 5,
      markets_resolved: 2,
      markets_open: 1,
      sync_coverage: 1,
      synced_realized_pnl: 11.5,
      total_realized_pnl: 16.5,
      unrealized_mtm: 5,
      cost_basis_locked: 50,
      resolved_win_rate: 50,
      resolved_wins: 1,
      resolved_decided: 2,
      as_of: SYNCED_AT.toISOString(),
    });
  });

  test("the context has no summary and a note when a position has no price", async () => {
    const { api, context } = await aTrader(true);
    const { data } = (await api.get(context)).body;
    expect(data).not.toHaveProperty("position_summary");
    expect(data).toMatchObject({
      data_as_of: SYNCED_AT.toISOString(),
      freshness_note: expect.stringContaining("no price"),
    });
  });

  test.each([
    { is: "is unknown", ref: async () => UNSEEN, asOf: null, why: "not captured" },
    {
      is: "has an incomplete history",
      ref: async (f: FreshApi) => (await aSeededTrader(f.db, { isFollowed: true })).address,
      asOf: null,
      why: "still being read",
    },
  ])("the context of a trader that $is has no summary and a reason", async ({ ref, asOf, why }) => {
    const fresh = await openFreshApi();
    const { status, body } = await fresh.api.get(`/api/v1/trader/${await ref(fresh)}/context`);
    expect(status).toBe(200);
    expect(body.data).not.toHaveProperty("position_summary");
    expect(body.data).toMatchObject({
      trader: { pnl: {}, stats: {} },
      data_as_of: asOf,
      freshness_note: expect.stringContaining(why),
    });
  });

  test.each(["context", "context.md"])(
    "%s returns JSON errors: 404 for an unknown trader and 400 for the id of another kind of object",
    async (end) => {
      const { api } = await openFreshApi();
      expect(errorOf(await api.get(`/api/v1/trader/nobody/${end}`))).toEqual({
        status: 404,
        reason: undefined,
        param: "address",
      });
      expect(errorOf(await api.get(`/api/v1/trader/mkt_1/${end}`))).toEqual({
        status: 400,
        reason: undefined,
        param: "address",
      });
    },
  );
});

describe("context.md", () => {
  let fresh: Awaited<ReturnType<typeof aTrader>>;
  let plain: string[];
  const read = async () => fresh.api.get(`${fresh.context}.md`);

  beforeAll(async () => {
    fresh = await aTrader();
    plain = (await read()).text.split("\n");
  });

  test("context.md is Markdown without an ETag", async () => {
    const { status, headers, text } = await read();
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(headers.has("etag")).toBe(false);
    expect(text.startsWith("# Trader context\n")).toBe(true);
    expect(text).toContain("- Realized: 16.5\n");
    expect(text).toContain("- Username: ` Theo4 `\n");
  });

  test("context.md of an unknown trader has no figures", async () => {
    const { text } = await fresh.api.get(`/api/v1/trader/${UNSEEN}/context.md`);
    expect(text).toMatch(/^# Trader context\n/);
    expect(text.replace(UNSEEN, "").replaceAll(/trd_0x\w+/g, "")).not.toMatch(/\d/);
    expect(text).toContain("not captured");
  });

  /**
   * The content of a line's code span according to CommonMark (0.31, 6.1); null unless the span ends the
   * line.
   */
  function readSpan(line: string): string | null {
    const [, backticks = "", rest = ""] = /^- Username: (`+)(.*)$/su.exec(line) ?? [];
    const runs = [...rest.matchAll(/`+/g)].filter(([run]) => run.length === backticks.length);
    const end = runs[0]?.index;
    return end === undefined || end + backticks.length !== rest.length ? null : rest.slice(1, end - 1);
  }

  const HOSTILE = [
    "x](http://evil.test)",
    "\n# Owned",
    "a\r\n\r\n## Owned\n- Realized: 999999",
    "```\n<script>",
    "`` ` ``",
    "`",
    "<img src=x onerror=alert(1)>",
    "www.evil.test http://evil.test me@evil.test",
    "![i](http://evil.test/x.png)",
    "\u2028# Owned\u2029",
    "\u202eevil\u2066",
    "\u0085# Owned",
    "\ud800",
  ];
  const hostile = fc.oneof(
    fc.constantFrom(...HOSTILE),
    fc.string({ unit: fc.constantFrom(..."`\\[](){}<>#*_-!|~\n\r\t a\u2028\u202e"), minLength: 1, maxLength: 40 }),
  );

  test("a username cannot add a line, end its code span or reverse text", async () => {
    for (const name of fc.sample(hostile, { numRuns: 150, seed: 5 })) {
      await fresh.db
        .update(traders)
        .set({ username: name.toWellFormed() })
        .where(eq(traders.id, (fresh.trader as SeededTrader).id));
      const { text } = await read();
      const lines = text.split("\n");
      const at = lines.findIndex((line) => line.startsWith("- Username: "));
      expect({ name, others: lines.toSpliced(at, 1) }).toEqual({ name, others: plain.toSpliced(at, 1) });
      const span = readSpan(lines[at] ?? "");
      // The visible characters of the name remain in order.
      const visible = (value: string) => value.replaceAll(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "");
      expect({ name, visible: visible(span ?? "no span") }).toEqual({ name, visible: visible(name.toWellFormed()) });
      expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
    }
  });
});
