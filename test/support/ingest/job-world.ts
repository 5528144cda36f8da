import type { Pool } from "@neondatabase/serverless";
import type { Page, Provider, ProviderHolder, ProviderTrade } from "../../../src/ports/provider.ts";
import { aProviderBoard } from "./boards.ts";
import { aProviderMarket, aResolution } from "./markets.ts";
import { aSkilledWallet } from "./skill.ts";
import { aTrade, anActivity, asActivity, pageOf, tokenOf, walletOf } from "./trades.ts";
import { aWrittenProvider } from "./written-provider.ts";

/** Wallets below this act; those from it on have a record of settled bets and nothing else. */
const CROWD_FROM = 1_000;
const CROWD = 110;
const MARKETS = 4;
const DAY_SECONDS = 86_400;

/**
 * A provider that has something for every job: trades of five days in pages that overlap, among them large ones and equal ones; followed wallets
 * with splits, fees, rebates; markets of one event, one resolved, one void; books, boards.
 *
 * @param nowSeconds the newest trade is a little older
 */
export function aBusyProvider(nowSeconds: number): Provider {
  const trades = aBusyWeek(nowSeconds);
  const takers = trades.filter((_, n) => n % 2 === 0);
  const misfit = { record: { side: "HOLD" }, reason: "side" };
  const written = aWrittenProvider({
    takers: [pageOf(takers.slice(0, 12)), pageOf(takers.slice(10, 20), [misfit]), pageOf(takers.slice(19))],
    all: [pageOf(trades.slice(0, 25)), pageOf(trades.slice(22))],
    activity: Object.fromEntries(
      [1, 2, 3].map((wallet) => [
        walletOf(wallet),
        [
          pageOf([
            anActivity("SPLIT", { n: 900 + wallet, wallet, market: 2, atSeconds: nowSeconds - 6 * DAY_SECONDS }),
            anActivity("MAKER_REBATE", { n: 910 + wallet, wallet, market: null, atSeconds: nowSeconds - 5 * DAY_SECONDS }),
          ]),
          pageOf(
            trades
              .filter((trade) => trade.wallet.address === walletOf(wallet))
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
    listBoard: async () => aProviderBoard([walletOf(2), walletOf(9)]),
    findBooks: async (tokenIds) =>
      pageOf(
        tokenIds.map((tokenId) => ({
          tokenId,
          bestBid: "0.41",
          bestAsk: "0.43",
          bidDepthUsd: "100",
          askDepthUsd: "120.5",
          lastTradePrice: "0.42",
          // Newer than what the market's own object told.
          asOf: new Date((nowSeconds + DAY_SECONDS) * 1000),
        })),
      ),
  };
}

/** Newest first: forty fills, every fifth of them large, two of them equal. */
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

/** Everybody of the crowd, in two pages. */
function aCrowdOfHolders(cursor: string | null): Page<ProviderHolder> {
  const first = cursor === null ? 0 : CROWD / 2;
  const rows = Array.from({ length: CROWD / 2 }, (_, n) => ({
    address: walletOf(CROWD_FROM + first + n),
    tokenId: "1",
    outcomeIndex: n % 2,
    sharesMicro: BigInt(first + n + 1) * 1_000_000n,
    valueMicro: BigInt(first + n + 1) * 420_000n,
  }));
  return { ...pageOf(rows), nextCursor: cursor === null ? "2" : null };
}

/** Somebody asks for the holders of two markets, for hours. */
export async function wantedHolders(pool: Pool): Promise<void> {
  await pool.query(
    `insert into holder_scans (market_id, requested_at) select id, now() + interval '3 hours' from markets order by id limit 2`,
  );
}

/** A crowd with a record of settled bets, large enough for a population, and one of the followed wallets with a very good one. */
export async function aCrowd(pool: Pool): Promise<void> {
  const best = Array.from({ length: 300 }, (_, n) => ({ cluster: `c${n}`, price: 0.5, usd: 100, payout: n < 240 ? 1 : 0 }));
  await aSkilledWallet(pool, walletOf(2), best);
  for (let place = 0; place < CROWD; place++) {
    const bets = Array.from({ length: 20 }, (_, n) => ({ cluster: `c${n}`, price: 0.5, usd: 100, payout: n < 4 + (place % 13) ? 1 : 0 }));
    await aSkilledWallet(pool, walletOf(CROWD_FROM + place), bets);
  }
}
