import type { Page, Provider, ProviderHolder } from "../../../src/ports/provider.ts";
import { conditionOf, tokenOf, walletHint } from "../../soak/named-objects.ts";
import type { GeneratedHistory } from "./generated-history.ts";
import { providerMarketOf, type GeneratedMarket } from "./generated-markets.ts";

const HOLDERS_A_PAGE = 500;
const page = <Row>(rows: readonly Row[] = [], nextCursor: string | null = null): Page<Row> => ({ rows, nextCursor, misfits: [] });

/**
 * What the provider says of a generated history whose trades were told beforehand: what the jobs that follow ask for. The feeds have the newest
 * page alone, and a wallet's activity is one rebate, newer than its trades.
 */
export function generatedProvider(history: GeneratedHistory, nowMs: number): Provider {
  const markets = new Map(history.markets.map((market) => [conditionOf(market.n), market]));
  const known = (conditionIds: readonly string[]) => conditionIds.flatMap((id) => markets.get(id) ?? []);
  const objectOf = (market: GeneratedMarket) => providerMarketOf(market, history.lastPrice(market));
  return {
    listTrades: async (feed) => page(feed === "takers" ? history.newest.takers : history.newest.makers),
    async listActivity(address, since) {
      if (since !== null) return page();
      const happenedAt = new Date(nowMs);
      const rebate = { type: "MAKER_REBATE", market: null, tokenId: null, sharesMicro: 0n, usdMicro: 1_230_000n, happenedAt } as const;
      const wallet = { address, username: null, profileImage: null };
      return page([{ kind: "other", activity: { ...rebate, wallet, txHash: `0x${address.slice(2).padStart(64, "0")}` } }]);
    },
    listMarkets: async () => page(),
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
        history
          .holders(market, outcomeIndex)
          .map((holder): ProviderHolder => ({ ...holder, tokenId: tokenOf(market.n, outcomeIndex), outcomeIndex, valueMicro: null })),
      );
      const start = Number(cursor ?? 0);
      const end = start + HOLDERS_A_PAGE;
      return page(rows.slice(start, end), end < rows.length ? String(end) : null);
    },
    async listBoard(_, limit) {
      return page(
        Array.from({ length: limit }, (__, n) => ({
          wallet: { ...walletHint(n * 7), username: `generated-${n * 7}` },
          rank: n + 1,
          pnlUsd: String(1_000_000 - n * 1_000),
          volumeShares: String(9_000_000 - n),
        })),
      );
    },
    findStanding: async () => page([{ pnlUsd: "1000.5", volumeShares: "25000" }]),
    listPositions: async () => page(),
    findBooks: async () => page(),
  };
}
