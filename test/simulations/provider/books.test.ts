import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProviderEndpoint } from "../../../scripts/provider/index.ts";
import { aSimulatedEndpoint } from "../../support/providers/simulated-endpoint.ts";
import { getJson } from "../../unit/scripts/provider/provider-recordings.ts";
const NOW = Date.parse("2026-11-18T20:04:00Z");

describe("CLOB reads of the simulation", () => {
  let endpoint: ProviderEndpoint;
  beforeAll(async () => {
    endpoint = await aSimulatedEndpoint(NOW);
  });
  afterAll(() => endpoint.stop());

  async function aMarket(closed: boolean) {
    const { body } = await getJson(`${endpoint.gammaUrl}/markets/keyset?limit=1&order=volume24hr&closed=${closed}`);
    const [market] = body.markets;
    return { ...endpoint, market, tokens: JSON.parse(market.clobTokenIds) as string[] };
  }

  test("the best level of a book is last on both sides, and Gamma shows the same quotes for outcome 0", async () => {
    const { clobUrl, tokens, market } = await aMarket(false);
    const { body } = await getJson(`${clobUrl}/book?token_id=${tokens[0]}`);
    const prices = (levels: any[]) => levels.map((level) => Number(level.price));
    const bids = prices(body.bids);
    const asks = prices(body.asks);
    expect(bids).toEqual([...bids].sort((a, b) => a - b));
    expect(asks).toEqual([...asks].sort((a, b) => b - a));
    expect(bids.at(-1)).toBeLessThan(asks.at(-1) ?? 0);
    expect([bids.at(-1), asks.at(-1)]).toEqual([market.bestBid, market.bestAsk]);
    expect((await getJson(`${clobUrl}/price?token_id=${tokens[0]}&side=BUY`)).body).toEqual({
      price: body.bids.at(-1).price,
    });
    expect((await getJson(`${clobUrl}/price?token_id=${tokens[0]}&side=SELL`)).body).toEqual({
      price: body.asks.at(-1).price,
    });
  });

  test("several books are returned for a flat array without unknown ids, and none for a wrapper object", async () => {
    const { clobUrl, tokens } = await aMarket(false);
    const post = (body: unknown) => getJson(`${clobUrl}/books`, { method: "POST", body: JSON.stringify(body) });
    const { body } = await post([{ token_id: tokens[0] }, { token_id: "12345" }, { token_id: tokens[1] }]);
    expect(body.map((book: any) => book.asset_id)).toEqual(tokens);
    expect((await post({ params: [{ token_id: tokens[0] }] })).body).toEqual([]);
  });

  test("a closed market has no book but a last price, and its token's history ends with the settlement", async () => {
    const { clobUrl, dataUrl, market, tokens } = await aMarket(true);
    expect((await fetch(`${clobUrl}/book?token_id=${tokens[0]}`)).status).toBe(404);
    const { body } = await getJson(`${dataUrl}/v2/prices-history?token_id=${tokens[0]}&interval=max`);
    const settled = Number(JSON.parse(market.outcomePrices)[0]);
    expect(body.data.at(-1)).toMatchObject({ price: settled, resolution_seconds: 0 });
    expect(body.data[0].resolution_seconds).toBe(43_200);
  });

  test("a token without a trade has the price 0.5 and no side, and a price history needs exactly one bound", async () => {
    const { clobUrl, dataUrl, tokens } = await aMarket(false);
    expect((await getJson(`${clobUrl}/last-trade-price?token_id=12345`)).body).toEqual({ price: "0.5", side: "" });
    expect((await fetch(`${dataUrl}/v2/prices-history?token_id=${tokens[0]}`)).status).toBe(400);
    expect((await fetch(`${dataUrl}/v2/prices-history?token_id=${tokens[0]}&start=1&interval=1d`)).status).toBe(400);
  });
});
