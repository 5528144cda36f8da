import { aSettledBet } from "../../a-settled-bet.ts";
import type { Pool } from "@neondatabase/serverless";
import type {
  GameEventList,
  ProviderPage,
  Provider,
  ProviderGameEvent,
  ProviderHolder,
  ProviderTrade,
} from "../../../../src/platform/provider.ts";
import { aProviderBoard } from "../provider/provider-boards.ts";
import { aProviderMarket, aResolution } from "../provider/provider-markets.ts";
import { aComboEvent, aComboPosition, aLegMarket } from "../provider/provider-combos.ts";
import { aGameEvent } from "../provider/provider-games.ts";
import { aSkilledTrader } from "./skill-jobs.ts";
import { aTrade, anActivity, asActivity, pageOf, tokenOf, walletOf } from "../provider/provider-trades.ts";
import { aPagedProvider } from "../provider/paged-provider.ts";

/** Traders below this number have fills; traders from it on only have a record of settled bets. */
const CROWD_FROM = 1_000;
const CROWD = 110;
const MARKETS = 4;
const DAY_SECONDS = 86_400;

/**
 * A provider with work for every job: trades of five days in overlapping pages, some large and some equal;
 * followed traders with splits, fees and rebates; markets of one event, one resolved and one void; books and
 * leaderboards.
 *
 * @param nowSeconds the newest trade is a little older
 */
export function aBusyProvider(nowSeconds: number): Provider {
  const trades = aBusyWeek(nowSeconds);
  const takers = trades.filter((_, n) => n % 2 === 0);
  const quarantined = { record: { side: "HOLD" }, reason: "side" };
  const written = aPagedProvider({
    takers: [pageOf(takers.slice(0, 12)), pageOf(takers.slice(10, 20), [quarantined]), pageOf(takers.slice(19))],
    all: [pageOf(trades.slice(0, 25)), pageOf(trades.slice(22))],
    activity: Object.fromEntries(
      [1, 2, 3].map((wallet) => [
        walletOf(wallet),
        [
          pageOf([
            anActivity("SPLIT", { n: 900 + wallet, wallet, market: 2, atSeconds: nowSeconds - 6 * DAY_SECONDS }),
            anActivity("MAKER_REBATE", {
              n: 910 + wallet,
              wallet,
              market: null,
              atSeconds: nowSeconds - 5 * DAY_SECONDS,
            }),
          ]),
          pageOf(
            trades
              .filter((trade) => trade.trader.address === walletOf(wallet))
              .toReversed()
              .map((trade) => asActivity({ ...trade, feeMicro: 1_000n })),
          ),
        ],
      ]),
    ),
    markets: Array.from({ length: MARKETS }, (_, index) => aBusyMarket(index + 1, nowSeconds)),
    resolutions: [
      aResolution(1, 1_000_000, new Date((nowSeconds - DAY_SECONDS) * 1000)),
      aResolution(2, 500_000, new Date((nowSeconds - 3600) * 1000)),
    ],
  });
  return {
    ...written,
    listMarkets: async (state, cursor) =>
      state === "closed"
        ? pageOf([aBusyMarket(1, nowSeconds)])
        : { ...pageOf([aBusyMarket(cursor === null ? 3 : 4, nowSeconds)]), nextCursor: cursor === null ? "1" : null },
    listHolders: async (_conditionId, cursor) => aCrowdOfHolders(cursor),
    listGameEvents: async (list, _since, cursor) => aBoardPage(list, cursor),
    listComboPositions: async (address, cursor) =>
      address === walletOf(1)
        ? {
            ...pageOf([aComboPosition(cursor === null ? 1 : 2, cursor === null ? [2, 3] : [3])]),
            nextCursor: cursor === null ? "1" : null,
          }
        : pageOf([]),
    listComboActivity: async (address) =>
      pageOf(
        address === walletOf(1)
          ? [
              aComboEvent("SPLIT", {
                n: 2,
                combo: 1,
                legs: [2, 3],
                amountMicro: 20_000_000n,
                atSeconds: nowSeconds - 900,
              }),
              aComboEvent("MERGE", {
                n: 3,
                combo: 1,
                legs: [2, 3],
                amountMicro: 5_000_000n,
                atSeconds: nowSeconds - 60,
              }),
            ]
          : [],
      ),
    findLegMarkets: async (positionIds) =>
      pageOf(
        [1, 2, 3, 4]
          .map((market) => ({ ...aLegMarket(market), market: aBusyMarket(market, nowSeconds) }))
          .filter((row) => row.positionIds.some((id) => positionIds.includes(id))),
      ),
    findGameEvents: async (gameIds) =>
      pageOf(gameIds.map((gameId) => aGameEvent(9, { gameId, state: { live: false, ended: true, score: "3-2" } }))),
    listLeaderboard: async () => aProviderBoard([walletOf(2), walletOf(9)]),
    findBooks: async (tokenIds) =>
      pageOf(
        tokenIds.map((tokenId) => ({
          tokenId,
          bestBid: "0.41",
          bestAsk: "0.43",
          bidDepthUsd: "100",
          askDepthUsd: "120.5",
          lastTradePrice: "0.42",
          // Newer than the market's own object.
          asOf: new Date((nowSeconds + DAY_SECONDS) * 1000),
        })),
      ),
  };
}

/** Two pages of open games, one of them in play; one game that has ended; an event that is unreadable. */
function aBoardPage(list: GameEventList, cursor: string | null): ProviderPage<ProviderGameEvent> {
  const inPlay = { live: true, ended: false, score: "1-0", period: "1H" };
  if (list === "live") return pageOf([aGameEvent(1, { state: { ...inPlay, score: "2-0" } })]);
  if (list === "closed") return pageOf([aGameEvent(8, { isClosed: true, state: { live: false, ended: true } })]);
  const quarantined = { record: { id: 5 }, reason: "slug" };
  return cursor === null
    ? { ...pageOf([aGameEvent(1, { state: inPlay }), aGameEvent(2)], [quarantined]), nextCursor: "2" }
    : pageOf([aGameEvent(3), aGameEvent(9, { state: inPlay })]);
}

/** Forty fills, newest first; every fifth is large, two are equal. */
function aBusyWeek(nowSeconds: number): ProviderTrade[] {
  const trades = Array.from({ length: 40 }, (_, n) =>
    aTrade({
      n: n + 1,
      wallet: 1 + (n % 5),
      market: 1 + (n % MARKETS),
      outcome: n % 3 === 0 ? 1 : 0,
      side: n % 7 === 6 ? "SELL" : "BUY",
      sharesMicro: n % 5 === 0 ? 20_000_000_000n : BigInt(10 + n) * 1_000_000n,
      price: `0.${30 + n}`,
      atSeconds: nowSeconds - 1_800 - Math.floor((n * 5 * DAY_SECONDS) / 40),
    }),
  );
  const [first, ...others] = trades;
  return first === undefined ? others : [first, first, ...others];
}

function aBusyMarket(market: number, nowSeconds: number) {
  const at = (seconds: number) => new Date((nowSeconds + seconds) * 1000);
  return aProviderMarket(market, {
    closed: market <= 2,
    closedAt: market <= 2 ? at(-2 * DAY_SECONDS) : null,
    createdAt: at(-20 * DAY_SECONDS),
    endAt: market <= 2 ? at(-2 * DAY_SECONDS) : at(10 * DAY_SECONDS),
    category: "politics",
    volumeUsd: String(1_000_000 * market),
    volume24hUsd: String(10_000 * market),
    liquidityUsd: "5000",
    event: {
      providerEventId: `e${market >> 1}`,
      slug: `story-${market >> 1}`,
      title: `Story ${market >> 1}`,
      image: null,
      seriesSlug: null,
      tags: ["politics"],
      startAt: at(-20 * DAY_SECONDS),
      endAt: at(10 * DAY_SECONDS),
    },
    outcomes: ([0, 1] as const).map((outcome) => ({
      tokenId: tokenOf(market, outcome),
      outcomeIndex: outcome,
      label: outcome === 0 ? "Yes" : "No",
      price: "0.42",
      lastTradePrice: "0.42",
      bestBid: "0.40",
      bestAsk: "0.44",
    })),
  });
}

/** All holders of the crowd, in two pages. */
function aCrowdOfHolders(cursor: string | null): ProviderPage<ProviderHolder> {
  const first = cursor === null ? 0 : CROWD / 2;
  const rows = Array.from({ length: CROWD / 2 }, (_, n) => ({
    address: walletOf(CROWD_FROM + first + n),
    tokenId: "1",
    outcomeIndex: n % 2,
    sharesMicro: BigInt(first + n + 1) * 1_000_000n,
  }));
  return { ...pageOf(rows), nextCursor: cursor === null ? "2" : null };
}

/** Requests the holders of two markets for the next hours. */
export async function requestHolders(pool: Pool): Promise<void> {
  await pool.query(
    `insert into holder_scans (market_id, requested_at) select id, now() + interval '3 hours' from markets order by id limit 2`,
  );
}

/**
 * Stores a crowd with records of settled bets, large enough for a population and so different that it shows skill, and a very
 * good record for one followed trader.
 */
export async function aCrowd(pool: Pool): Promise<void> {
  const best = Array.from({ length: 300 }, (_, n) =>
    aSettledBet({ cluster: `c${n}`, price: 0.5, usd: 100, payout: n < 240 ? 1 : 0 }),
  );
  await aSkilledTrader(pool, walletOf(2), best);
  for (let index = 0; index < CROWD; index++) {
    const bets = Array.from({ length: 20 }, (_, n) =>
      aSettledBet({ cluster: `c${n}`, price: 0.5, usd: 100, payout: n < 1 + 3 * (index % 7) ? 1 : 0 }),
    );
    await aSkilledTrader(pool, walletOf(CROWD_FROM + index), bets);
  }
}
