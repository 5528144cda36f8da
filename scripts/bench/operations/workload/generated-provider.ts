import type { ProviderPage, Provider, ProviderHolder } from "../../../../src/platform/provider.ts";
import { conditionOf, isCombinationNumber, tokenOf, walletHint } from "../../../soak/named-objects.ts";
import { comboOf, legPositionsOf } from "./generated-combos.ts";
import { generateGames } from "./generated-games.ts";
import type { GeneratedHistory } from "./generated-history.ts";
import { providerMarketOf, type GeneratedMarket } from "./generated-markets.ts";

const HOLDERS_A_PAGE = 500;
const EVENTS_A_PAGE = 100;
const page = <Row>(rows: readonly Row[] = [], nextCursor: string | null = null): ProviderPage<Row> => ({
  rows,
  nextCursor,
  quarantined: [],
});

/**
 * The provider of a generated history whose trades are already loaded; it serves the jobs that follow. The
 * feeds return the newest page alone, and a trader's activity is one rebate, newer than its trades.
 */
export function generatedProvider(history: GeneratedHistory, nowMs: number): Provider {
  // Combos have no object of their own: their legs are listed with the positions of their holders.
  const listed = history.markets.filter(({ n }) => !isCombinationNumber(n));
  const markets = new Map(listed.map((market) => [conditionOf(market.n), market]));
  const byLeg = new Map(listed.flatMap((market) => legPositionsOf(market.n).map((id) => [id, market] as const)));
  const combos = history.combosByAddress();
  const numbered = (n: number) => history.markets[n];
  const known = (conditionIds: readonly string[]) => conditionIds.flatMap((id) => markets.get(id) ?? []);
  const objectOf = (market: GeneratedMarket) => providerMarketOf(market, history.lastPrice(market));
  return {
    listTrades: async (feed) => page(feed === "takers" ? history.newest.takers : history.newest.makers),
    async listActivity(address, since) {
      if (since !== null) return page();
      const happenedAt = new Date(nowMs);
      const rebate = {
        type: "MAKER_REBATE",
        market: null,
        tokenId: null,
        sharesMicro: 0n,
        usdMicro: 1_230_000n,
        happenedAt,
      } as const;
      const trader = { address, username: null, profileImage: null };
      return page([
        { kind: "other", activity: { ...rebate, trader, txHash: `0x${address.slice(2).padStart(64, "0")}` } },
      ]);
    },
    listMarkets: async () => page(),
    listComboPositions: async (address) =>
      page((combos.get(address) ?? []).map((n) => ({ combo: comboOf(n, numbered) }))),
    listComboActivity: async () => page(),
    findLegMarkets: async (positionIds) => {
      const legs = new Set(positionIds.flatMap((id) => byLeg.get(id) ?? []));
      return page([...legs].map((market) => ({ market: objectOf(market), positionIds: legPositionsOf(market.n) })));
    },
    findTokenMarkets: async () => page(),
    findMarkets: async (conditionIds) => page(known(conditionIds).map(objectOf)),
    findQuestions: async () => null,
    findResolutions: async (conditionIds) =>
      page(
        known(conditionIds)
          .filter(({ isSettled }) => isSettled)
          .map(({ n, winner, endMs }) => ({
            conditionId: conditionOf(n),
            status: "resolved",
            payoutsPpm: winner === 0 ? [1_000_000, 0] : [0, 1_000_000],
            resolvedAt: new Date(endMs),
            expectedAt: null,
          })),
      ),
    async listHolders(conditionId, cursor) {
      const market = markets.get(conditionId);
      if (market === undefined) return page();
      const rows = [0, 1].flatMap((outcomeIndex) =>
        history.holders(market, outcomeIndex).map((holder): ProviderHolder => ({
          ...holder,
          tokenId: tokenOf(market.n, outcomeIndex),
          outcomeIndex,
        })),
      );
      const start = Number(cursor ?? 0);
      const end = start + HOLDERS_A_PAGE;
      return page(rows.slice(start, end), end < rows.length ? String(end) : null);
    },
    async listLeaderboard(_, limit) {
      return page(
        Array.from({ length: limit }, (__, n) => ({
          trader: { ...walletHint(n * 7), username: `generated-${n * 7}` },
          rank: n + 1,
          pnlUsd: String(1_000_000 - n * 1_000),
          volumeShares: String(9_000_000 - n),
        })),
      );
    },
    findAllTimeStats: async () => page([{ pnlUsd: "1000.5", volumeShares: "25000" }]),
    listPositions: async () => page(),
    findBooks: async () => page(),
    async listGameEvents(list, _since, cursor) {
      const games = list === "closed" ? [] : generateGames(nowMs).filter((game) => list === "open" || game.state.live);
      const end = Number(cursor ?? 0) + EVENTS_A_PAGE;
      return page(games.slice(end - EVENTS_A_PAGE, end), end < games.length ? String(end) : null);
    },
    findGameEvents: async () => page(),
  };
}
