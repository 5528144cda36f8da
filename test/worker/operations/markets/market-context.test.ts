import { describe, expect, test } from "vitest";
import { holderScans } from "../../../../src/db/schema.ts";
import { openFreshApi, errorOf } from "../../../support/api/fresh-api.ts";
import { aTakerTrade } from "../../../support/seed/fills.ts";
import { aHolderScan } from "../../../support/seed/traders/holders.ts";
import { theTradeFeedWasRead } from "../../../support/seed/large-trades.ts";
import { aMarket } from "../../../support/seed/markets.ts";
import { aSeededTrader } from "../../../support/seed/traders/traders.ts";

const pathOf = (id: number) => `/api/v1/market/mkt_${id}/context.md`;

/** The JSON blocks of a document by their heading, and its other lines. */
function readDocument(text: string): { blocks: Record<string, any>; prose: string[] } {
  const lines = text.split("\n");
  const blocks: Record<string, string[]> = {};
  const prose: string[] = [];
  let heading = "";
  for (const line of lines) {
    if (line.startsWith("    ")) (blocks[heading] ??= []).push(line);
    else prose.push(line);
    if (line.startsWith("#")) heading = line;
  }
  return {
    blocks: Object.fromEntries(Object.entries(blocks).map(([name, json]) => [name, JSON.parse(json.join("\n"))])),
    prose,
  };
}

const HEADINGS = ["# Market context", "## Snapshot", "## Large-trade flow of the last 24 hours", "## Graded holders"];
const headingsOf = (prose: readonly string[]) => prose.filter((line) => line.startsWith("#"));

test("the market context is Markdown without an ETag and contains the data of the other reads", async () => {
  const { api, db } = await openFreshApi();
  const market = await aMarket(db, { title: "Will it rain?" }, [{ lastTradePrice: "0.5" }, {}]);
  await theTradeFeedWasRead(db, new Date());
  const wallet = await aSeededTrader(db, { grade: "A" });
  await aTakerTrade(db, { trader: wallet, market, shares: 100, at: new Date(Date.now() - 60_000).toISOString() });
  await aHolderScan(db, market, [{ trader: wallet, shares: 10 }]);
  const response = await api.get(pathOf(market.id));
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  expect(response.headers.get("etag")).toBeNull();
  expect(response.text.startsWith("# Market context\n")).toBe(true);
  const { blocks, prose } = readDocument(response.text);
  expect(headingsOf(prose)).toEqual(HEADINGS);
  const read = async (name: string) => (await api.get(`/api/v1/market/mkt_${market.id}/${name}`)).body;
  const holders = await read("holders");
  expect(blocks["## Snapshot"]).toEqual((await read("snapshot?expand=trust")).data);
  const { smart_money: _, ...flow } = (await read("flow")).data;
  expect(blocks["## Large-trade flow of the last 24 hours"]).toEqual(flow);
  expect(blocks["## Graded holders"]).toEqual({ scan: holders.scan, totals: holders.totals, top: holders.data });
});

test("the market context has reasons in place of unknown data and requests a holder scan", async () => {
  const { api, db } = await openFreshApi();
  const market = await aMarket(db);
  const { blocks, prose } = readDocument((await api.get(pathOf(market.id))).text);
  expect(Object.keys(blocks)).toEqual(["## Snapshot"]);
  expect(headingsOf(prose)).toEqual(HEADINGS);
  expect(prose.filter((line) => line.startsWith("Unknown"))).toHaveLength(2);
  expect(await db.select({ marketId: holderScans.marketId }).from(holderScans)).toEqual([{ marketId: market.id }]);
});

describe("untrusted text", () => {
  const hostile = [
    "\n# New heading\n\n[win](https://evil.test)",
    "```\n</code><script>alert(1)</script>",
    "a\r\n\r\n- list\u2028# line\u0085## other\u202ereversed",
    '", "market_result": "Yes',
    "\t\n    # Market context",
  ];
  test.each(hostile)("the untrusted text %j stays inside JSON blocks", async (words) => {
    const { api, db } = await openFreshApi();
    const side = { label: words };
    const market = await aMarket(db, { title: words, description: words, slug: words, category: words, image: words }, [
      side,
      side,
    ]);
    await theTradeFeedWasRead(db, new Date());
    await aHolderScan(db, market, [{ trader: await aSeededTrader(db, { grade: "A", username: words }), shares: 1 }]);
    const { text } = await api.get(pathOf(market.id));
    const { blocks, prose } = readDocument(text);
    expect(headingsOf(prose)).toEqual(HEADINGS);
    expect(prose.join("\n")).not.toMatch(/evil|script|list|other/);
    expect(text).not.toMatch(/[\r\u0085\u2028\u2029\u202e]/);
    expect(blocks["## Snapshot"].market).toMatchObject({ title: words, description: words, market_result: null });
    expect(blocks["## Graded holders"].top).toMatchObject([{ name: words }]);
  });
});

test("errors of the market context are JSON", async () => {
  const { api } = await openFreshApi();
  expect(errorOf(await api.get(pathOf(999_999)))).toEqual({ status: 404, reason: undefined, param: "condition_id" });
  for (const ref of ["trd_1", "wt_1", "rf_1"]) {
    expect(errorOf(await api.get(`/api/v1/market/${ref}/context.md`))).toEqual({
      status: 400,
      reason: undefined,
      param: "condition_id",
    });
  }
});
