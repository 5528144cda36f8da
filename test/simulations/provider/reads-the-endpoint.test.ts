import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProviderEndpoint } from "../../../scripts/provider/index.ts";
import { SPORTS } from "../../../src/domain/games/game-board.ts";
import { parseGameScore } from "../../../src/domain/games/game-score.ts";
import type { Provider } from "../../../src/platform/provider.ts";
import { aSimulatedEndpoint } from "../../support/providers/simulated-endpoint.ts";
import { providerAt, walk } from "../../unit/providers/polymarket/provider-at-endpoint.ts";

describe("a simulated provider at one moment", () => {
  let endpoint: ProviderEndpoint;
  let provider: Provider;
  beforeAll(async () => {
    endpoint = await aSimulatedEndpoint(Date.parse("2026-11-18T20:04:00Z"));
    ({ provider } = providerAt(endpoint));
  });
  afterAll(() => endpoint.stop());

  test("both trade feeds and both market walks are read without a quarantined record", async () => {
    const takers = await walk((cursor) => provider.listTrades("takers", cursor), 2);
    const all = await walk((cursor) => provider.listTrades("all", cursor), 2);
    const open = await walk((cursor) => provider.listMarkets("open", cursor));
    const closed = await walk((cursor) => provider.listMarkets("closed", cursor));
    expect([takers, all, open, closed].map((page) => page.quarantined)).toEqual([[], [], [], []]);
    expect([takers.rows.length, all.rows.length]).toEqual([2000, 2000]);
    expect([open.nextCursor, closed.nextCursor]).toEqual([null, null]);
    expect(new Set(open.rows.map((market) => market.closed))).toEqual(new Set([false]));
    expect(new Set(closed.rows.map((market) => market.closed))).toEqual(new Set([true]));
  });

  test("open and closed markets are found by condition in one call, and an unknown condition is missing", async () => {
    const [open] = (await provider.listMarkets("open", null)).rows;
    const [closed] = (await provider.listMarkets("closed", null)).rows;
    const found = await provider.findMarkets([
      `0x${"0".repeat(64)}`,
      closed?.conditionId ?? "",
      open?.conditionId ?? "",
    ]);
    expect(found).toEqual({ rows: [open, closed], quarantined: [], nextCursor: null });
  });

  test("the order books of a market agree with its quotes", async () => {
    const outcomes = (await provider.listMarkets("open", null)).rows[0]?.outcomes ?? [];
    const books = await provider.findBooks(outcomes.map((outcome) => outcome.tokenId));
    const top = ({
      tokenId,
      bestBid,
      bestAsk,
    }: {
      tokenId: string;
      bestBid: string | null;
      bestAsk: string | null;
    }) => [tokenId, bestBid, bestAsk];
    expect(outcomes).toHaveLength(2);
    expect(books.rows.map(top)).toEqual(outcomes.map(top));
  });

  test("resolved markets have resolutions, and more conditions than one call may contain are split", async () => {
    const { rows: markets } = await provider.listMarkets("closed", null);
    // A market that closed lately waits for its result.
    const resolved = markets.filter(({ resolutionStatus }) => resolutionStatus === "resolved");
    const requested = resolved.slice(0, 45).map((market) => market.conditionId);
    expect(requested).toHaveLength(45);
    const { rows, quarantined } = await provider.findResolutions(requested);
    expect(quarantined).toEqual([]);
    expect(rows.map((row) => row.conditionId).toSorted()).toEqual(requested.toSorted());
    expect(new Set(rows.map((row) => row.payoutsPpm?.reduce((sum, ppm) => sum + ppm, 0)))).toEqual(
      new Set([1_000_000]),
    );
  });

  test("games in play are listed with the scores that the provider has, and found by their ids", async () => {
    const live = await walk((cursor) => provider.listGameEvents("live", new Date(), cursor));
    expect(live.rows.length).toBeGreaterThan(0);
    expect(live.quarantined).toEqual([]);
    for (const game of live.rows) {
      expect(game).toMatchObject({ isMain: true, isClosed: false, state: { live: true, ended: false } });
      expect(SPORTS).toContain(game.category);
      expect(game.competitors.map(({ ordering }) => ordering)).toEqual(["home", "away"]);
      expect(parseGameScore(game.state.score ?? "")).not.toBeNull();
    }
    const [first] = live.rows;
    if (first === undefined) return;
    expect((await provider.findGameEvents([first.gameId])).rows).toEqual([first]);
    const open = await walk((cursor) => provider.listGameEvents("open", new Date(), cursor));
    expect(open.rows.map(({ gameId }) => gameId)).toEqual(
      expect.arrayContaining(live.rows.map(({ gameId }) => gameId)),
    );
  });

  test("the leaderboard begins at rank 1 and ends at the limit", async () => {
    const { rows } = await provider.listLeaderboard("week", 50);
    expect(rows.map((row) => row.rank)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  });

  test("a trader's activity has the same fills as the trade feed, with their fees", async () => {
    const feed = await walk((cursor) => provider.listTrades("takers", cursor), 2);
    const wallet = feed.rows[0]?.trader.address ?? "";
    const activity = await walk((cursor) => provider.listActivity(wallet, null, cursor));
    const fills = activity.rows.flatMap((row) => (row.kind === "trade" ? [row.trade] : []));
    expect(activity.quarantined).toEqual([]);
    for (const { feeMicro: _, ...fill } of feed.rows.filter((row) => row.trader.address === wallet)) {
      expect(fills).toContainEqual({ ...fill, feeMicro: expect.any(BigInt) });
    }
  });

  test("a simulated market's holders are the traders whose fills left them shares", async () => {
    const conditionId = (await provider.listTrades("takers", null)).rows[0]?.market.conditionId ?? "";
    const { rows, quarantined } = await walk((cursor) => provider.listHolders(conditionId, cursor));
    expect(quarantined).toEqual([]);
    expect(rows.length).toBeGreaterThan(5);
    expect(new Set(rows.map(({ address, tokenId }) => `${address} ${tokenId}`)).size).toBe(rows.length);
    const shares = rows.map((row) => row.sharesMicro);
    expect(shares).toEqual(shares.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)));
    // The shares that the largest holder's activity in this market adds up to.
    const [largest] = rows;
    const activity = await walk((cursor) => provider.listActivity(largest?.address ?? "", null, cursor));
    const openShares = activity.rows.reduce((sum, row) => {
      if (row.kind === "other") {
        if (row.activity.market?.conditionId !== conditionId) return sum;
        return row.activity.type === "SPLIT"
          ? sum + row.activity.sharesMicro
          : row.activity.type === "MERGE"
            ? sum - row.activity.sharesMicro
            : sum;
      }
      if (row.trade.tokenId !== largest?.tokenId) return sum;
      return row.trade.side === "BUY" ? sum + row.trade.sharesMicro : sum - row.trade.sharesMicro;
    }, 0n);
    // The provider rounds to four decimals.
    expect(Math.abs(Number((largest?.sharesMicro ?? 0n) - openShares))).toBeLessThanOrEqual(100);
  });
});
