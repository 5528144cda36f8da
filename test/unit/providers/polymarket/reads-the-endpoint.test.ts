import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startProviderEndpoint, type ProviderEndpoint } from "../../../../scripts/provider/index.ts";
import type { Provider } from "../../../../src/ports/provider.ts";
import { aReplay, aV1Activity, CONDITION, trades, WALLET } from "../../scripts/provider/recordings.ts";
import { providerAt, walk } from "./provider-at-endpoint.ts";

describe("a simulated provider, at one moment", () => {
  const now = () => Date.parse("2026-11-18T20:04:00Z");
  let endpoint: ProviderEndpoint;
  let provider: Provider;
  beforeAll(async () => {
    endpoint = await startProviderEndpoint({ source: { kind: "simulate", seed: 7, now }, log: { error: () => undefined } });
    ({ provider } = providerAt(endpoint));
  });
  afterAll(() => endpoint.stop());

  test("both trade feeds and both market walks are read without a misfit", async () => {
    const takers = await walk((cursor) => provider.listTrades("takers", cursor), 2);
    const all = await walk((cursor) => provider.listTrades("all", cursor), 2);
    const open = await walk((cursor) => provider.listMarkets("open", cursor));
    const closed = await walk((cursor) => provider.listMarkets("closed", cursor));
    expect([takers, all, open, closed].map((page) => page.misfits)).toEqual([[], [], [], []]);
    expect([takers.rows.length, all.rows.length]).toEqual([2000, 2000]);
    expect([open.nextCursor, closed.nextCursor]).toEqual([null, null]);
    expect(new Set(open.rows.map((market) => market.closed))).toEqual(new Set([false]));
    expect(new Set(closed.rows.map((market) => market.closed))).toEqual(new Set([true]));
  });

  test("open and closed markets are found by condition in one call; an unknown condition is missing", async () => {
    const [open] = (await provider.listMarkets("open", null)).rows;
    const [closed] = (await provider.listMarkets("closed", null)).rows;
    const found = await provider.findMarkets([`0x${"0".repeat(64)}`, closed?.conditionId ?? "", open?.conditionId ?? ""]);
    expect(found).toEqual({ rows: [open, closed], misfits: [], nextCursor: null });
  });

  test("the books of a market agree with its quotes", async () => {
    const outcomes = (await provider.listMarkets("open", null)).rows[0]?.outcomes ?? [];
    const books = await provider.findBooks(outcomes.map((outcome) => outcome.tokenId));
    const top = ({ tokenId, bestBid, bestAsk }: { tokenId: string; bestBid: string | null; bestAsk: string | null }) => [
      tokenId,
      bestBid,
      bestAsk,
    ];
    expect(outcomes).toHaveLength(2);
    expect(books.rows.map(top)).toEqual(outcomes.map(top));
  });

  test("closed markets have resolutions, more of them than one call may ask for", async () => {
    const { rows: markets } = await provider.listMarkets("closed", null);
    const asked = markets.slice(0, 45).map((market) => market.conditionId);
    const { rows, misfits } = await provider.findResolutions(asked);
    expect(misfits).toEqual([]);
    expect(rows.map((row) => row.conditionId).toSorted()).toEqual(asked.toSorted());
    expect(new Set(rows.map((row) => row.payoutsPpm?.reduce((sum, ppm) => sum + ppm, 0)))).toEqual(new Set([1_000_000]));
  });

  test("the board begins at rank 1 and ends at the limit", async () => {
    const { rows } = await provider.listBoard("week", 50);
    expect(rows.map((row) => row.rank)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  });

  test("a wallet's activity tells the same fills as the trade feed, and their fees besides", async () => {
    const feed = await walk((cursor) => provider.listTrades("takers", cursor), 2);
    const wallet = feed.rows[0]?.wallet.address ?? "";
    const activity = await walk((cursor) => provider.listActivity(wallet, null, cursor));
    const fills = activity.rows.flatMap((row) => (row.kind === "trade" ? [row.trade] : []));
    expect(activity.misfits).toEqual([]);
    for (const { feeMicro: _, ...fill } of feed.rows.filter((row) => row.wallet.address === wallet)) {
      expect(fills).toContainEqual({ ...fill, feeMicro: expect.any(BigInt) });
    }
  });
});

test("a wallet's activity is oldest first and begins at the second it is told", async () => {
  const { provider } = providerAt(await aReplay({ "activity.ndjson": [3, 2, 1].map((number) => aV1Activity(number)) }));
  const whole = await provider.listActivity(WALLET, null, null);
  const at = (number: number) => new Date((1_760_000_000 + number) * 1000);
  expect(whole.rows.map((row) => row.kind === "trade" && row.trade.tradedAt)).toEqual([at(1), at(2), at(3)]);
  expect((await provider.listActivity(WALLET, at(2), null)).rows).toEqual(whole.rows.slice(1));
});

test("a market the trade feed names is found by the condition the row carries", async () => {
  const { provider } = providerAt(await aReplay({ "t.ndjson": trades(1) }));
  const [trade] = (await provider.listTrades("takers", null)).rows;
  expect(trade?.market).toEqual({ conditionId: CONDITION, title: "Will it rain?", slug: "will-it-rain", eventSlug: "rain", icon: null });
  expect((await provider.findMarkets([CONDITION])).rows.map((market) => market.conditionId)).toEqual([CONDITION]);
});
