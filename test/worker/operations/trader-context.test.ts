import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { traders } from "../../../src/db/schema.ts";
import { eq } from "drizzle-orm";
import { openFreshApi, refusalOf, type FreshApi } from "../../support/fresh-api.ts";
import { aMarket } from "../../support/seed/markets.ts";
import { aPosition } from "../../support/seed/positions.ts";
import { aWallet, type Wallet } from "../../support/seed/wallets.ts";

const SYNCED_AT = new Date("2026-11-20T12:00:00Z");
const UNSEEN = `0x${"e".repeat(40)}`;
const usd = (dollars: number) => BigInt(Math.round(dollars * 1_000_000));

/** A whole history: two open markets, one sold off, one won and one lost. */
async function aTrader(unpriced = false) {
  const fresh = await openFreshApi();
  const { db } = fresh;
  const totals = { realizedMicro: usd(20), settledMicro: usd(-3), feesMicro: usd(1), rebatesMicro: usd(0.5) };
  const wallet = await aWallet(db, { username: "Theo4", completeAt: SYNCED_AT, totals });
  const held = { wallet, sharesMicro: usd(100) };
  await aPosition(db, {
    ...held,
    market: await aMarket(db),
    costMicro: usd(40),
    valueMicro: usd(55),
    realizedMicro: usd(6),
    feesMicro: usd(1),
  });
  await aPosition(db, { ...held, market: await aMarket(db), costMicro: usd(10), valueMicro: unpriced ? null : 0n });
  await aPosition(db, { wallet, market: await aMarket(db), realizedMicro: usd(9) });
  await aPosition(db, { ...held, market: await aMarket(db), settledMicro: usd(7), realizedMicro: usd(5) });
  await aPosition(db, { ...held, market: await aMarket(db), settledMicro: usd(-10) });
  return { ...fresh, wallet, context: `/api/v1/trader/${wallet.address}/context` };
}

describe("context", () => {
  test("sums up the wallet's positions", async () => {
    const { api, context, wallet } = await aTrader();
    const { body } = await api.get(context);
    expect(body.object).toBe("trader_context");
    expect(body.data).toMatchObject({ trader: { address: wallet.address }, data_as_of: SYNCED_AT.toISOString() });
    // By hand: 20 - 3 - 1 + 0.50 = 16.50, of which 6 - 1 belong to what is still open. Worth 55 of 50 paid. One of two decided is won.
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

  test("has no summary while one holding has no price, and its note says so", async () => {
    const { api, context } = await aTrader(true);
    const { data } = (await api.get(context)).body;
    expect(data).not.toHaveProperty("position_summary");
    expect(data).toMatchObject({ data_as_of: SYNCED_AT.toISOString(), freshness_note: expect.stringContaining("no price") });
  });

  test.each([
    { is: "nobody has seen", ref: async () => UNSEEN, asOf: null, why: "not captured" },
    {
      is: "is not read to its end",
      ref: async (f: FreshApi) => (await aWallet(f.db, { followed: true })).address,
      asOf: null,
      why: "still being read",
    },
  ])("of a wallet that $is has no summary, and says why", async ({ ref, asOf, why }) => {
    const fresh = await openFreshApi();
    const { status, body } = await fresh.api.get(`/api/v1/trader/${await ref(fresh)}/context`);
    expect(status).toBe(200);
    expect(body.data).not.toHaveProperty("position_summary");
    expect(body.data).toMatchObject({ trader: { pnl: {}, stats: {} }, data_as_of: asOf, freshness_note: expect.stringContaining(why) });
  });

  test.each(["context", "context.md"])("%s of nobody is 404, of another thing's id 400, as JSON", async (end) => {
    const { api } = await openFreshApi();
    expect(refusalOf(await api.get(`/api/v1/trader/nobody/${end}`))).toEqual({ status: 404, reason: undefined, param: "address" });
    expect(refusalOf(await api.get(`/api/v1/trader/mkt_1/${end}`))).toEqual({ status: 400, reason: undefined, param: "address" });
  });
});

describe("context.md", () => {
  let fresh: Awaited<ReturnType<typeof aTrader>>;
  let plain: string[];
  const read = async () => fresh.api.get(`${fresh.context}.md`);

  beforeAll(async () => {
    fresh = await aTrader();
    plain = (await read()).text.split("\n");
  });

  test("is a document of its own media type without a validator", async () => {
    const { status, headers, text } = await read();
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(headers.has("etag")).toBe(false);
    expect(text.startsWith("# Trader context\n")).toBe(true);
    expect(text).toContain("- Realized: 16.5\n");
    expect(text).toContain("- Username: ` Theo4 `\n");
  });

  test("of a wallet nobody has seen has no figure in it", async () => {
    const { text } = await fresh.api.get(`/api/v1/trader/${UNSEEN}/context.md`);
    expect(text).toMatch(/^# Trader context\n/);
    expect(text.replace(UNSEEN, "").replaceAll(/trd_0x\w+/g, "")).not.toMatch(/\d/);
    expect(text).toContain("not captured");
  });

  /** What a CommonMark reader takes a line's code span for (0.31, 6.1); null unless it ends the line. */
  function readSpan(line: string): string | null {
    const [, fence = "", rest = ""] = /^- Username: (`+)(.*)$/su.exec(line) ?? [];
    const runs = [...rest.matchAll(/`+/g)].filter(([run]) => run.length === fence.length);
    const end = runs[0]?.index;
    return end === undefined || end + fence.length !== rest.length ? null : rest.slice(1, end - 1);
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

  test("a name can add no line, end no span and reverse nothing, whatever it is", async () => {
    for (const name of fc.sample(hostile, { numRuns: 150, seed: 5 })) {
      await fresh.db
        .update(traders)
        .set({ username: name.toWellFormed() })
        .where(eq(traders.id, (fresh.wallet as Wallet).id));
      const { text } = await read();
      const lines = text.split("\n");
      const at = lines.findIndex((line) => line.startsWith("- Username: "));
      expect({ name, others: lines.toSpliced(at, 1) }).toEqual({ name, others: plain.toSpliced(at, 1) });
      const span = readSpan(lines[at] ?? "");
      // What is left of the name are its visible characters, in their order.
      const visible = (value: string) => value.replaceAll(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "");
      expect({ name, visible: visible(span ?? "no span") }).toEqual({ name, visible: visible(name.toWellFormed()) });
      expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
    }
  });
});
