import type { Pool } from "@neondatabase/serverless";
import { inTransaction, type Database } from "../../../src/db/client.ts";
import { traders } from "../../../src/db/schema.ts";
import { applyMarkets } from "../../../src/ingest/apply-markets.ts";
import { applyResolutions } from "../../../src/ingest/apply-resolutions.ts";
import { profileWallets } from "../../../src/ingest/profiles/profile-wallets.ts";
import { buildLargePositions } from "../../../src/ingest/read-models/large-positions.ts";
import { buildLeaderboard } from "../../../src/ingest/read-models/leaderboard.ts";
import { buildTrending } from "../../../src/ingest/read-models/trending.ts";
import { valuePositions } from "../../../src/ingest/values/value-positions.ts";
import type { ProviderActivity } from "../../../src/ports/provider.ts";
import { aProviderBoard } from "./boards.ts";
import { anActivityProvider, follow, sync } from "./followed-wallet.ts";
import { aProviderMarket, aResolution } from "./markets.ts";
import { aTrade, anActivity, asActivity, FIRST_COMBINATION, pageOf, tokenOf, walletOf, type TradeFacts } from "./trades.ts";

/** Wallets by how far their history is known, each read from activity by the product's own code. */
export const WALLETS = { complete: 1, unmatched: 2, combining: 3, gapped: 4, pending: 5 } as const;

export type WalletState = keyof typeof WALLETS;

const START = 1_760_000_000;

let n = 0;
const fill = (state: WalletState, facts: Partial<TradeFacts>): ProviderActivity => {
  n += 1;
  return asActivity(aTrade({ n, wallet: WALLETS[state], atSeconds: START + n, ...facts }));
};

/** 10 shares of market 1 for 5.00, which pays 10.00, and of market 2 for 2.00, which pays nothing; 100,000 of market 3 for 50,000, now worth 60,000. */
const ordinary = (state: WalletState): ProviderActivity[] => [
  fill(state, { market: 1, price: "0.5" }),
  fill(state, { market: 2, price: "0.2" }),
  fill(state, { market: 3, sharesMicro: 100_000_000_000n, price: "0.5" }),
];

const activityOf: Readonly<Record<WalletState, () => ProviderActivity[]>> = {
  complete: () => ordinary("complete"),
  /** And 100 shares of market 4, which it was never seen to buy, sold for 60.00. */
  unmatched: () => [...ordinary("unmatched"), fill("unmatched", { market: 4, side: "SELL", sharesMicro: 100_000_000n, price: "0.6" })],
  /** And 100 shares of a combination, bought for 10.00, and half of them sold for 1.00. */
  combining: () => [
    ...ordinary("combining"),
    fill("combining", { market: FIRST_COMBINATION, sharesMicro: 100_000_000n, price: "0.1" }),
    fill("combining", { market: FIRST_COMBINATION, side: "SELL", sharesMicro: 50_000_000n, price: "0.02" }),
  ],
  gapped: () => [...ordinary("gapped"), anActivity("MIGRATION", { n: 900, wallet: WALLETS.gapped })],
  pending: () => [],
};

/** @returns when everything was read */
export async function aCompletenessWorld(db: Database, pool: Pool): Promise<Date> {
  const now = new Date();
  const quotes = { lastTradePrice: "0.6", bestBid: "0.59", bestAsk: "0.61", price: null };
  const markets = [1, 2, 3, 4].map((market) =>
    aProviderMarket(market, {
      ...{ category: "Politics", closed: market !== 3 },
      ...(market === 3
        ? {
            outcomes: ([0, 1] as const).map((outcome) => ({
              ...{ tokenId: tokenOf(market, outcome), outcomeIndex: outcome, label: outcome === 0 ? "Yes" : "No" },
              ...(outcome === 0 ? quotes : { lastTradePrice: "0.4", bestBid: "0.39", bestAsk: "0.41", price: null }),
            })),
          }
        : {}),
    }),
  );
  await inTransaction(pool, (session) => applyMarkets(session, markets, [], now));
  for (const state of Object.keys(WALLETS) as WalletState[]) {
    await follow(pool, WALLETS[state]);
    if (state !== "pending") await sync(pool, anActivityProvider(WALLETS[state], [pageOf(activityOf[state]())]), WALLETS[state], now);
  }
  await db.update(traders).set({ grade: "A", score: 70, gradedAt: now });
  const resolutions = [aResolution(1, 1_000_000), aResolution(2, 0), aResolution(4, 1_000_000)];
  await inTransaction(pool, (session) =>
    applyResolutions(
      session,
      resolutions.map(({ conditionId }) => conditionId),
      resolutions,
      [],
      now,
    ),
  );
  while (await valuePositions(pool));
  const { rows } = await pool.query<{ id: string }>("select id from traders");
  await profileWallets(
    pool,
    rows.map(({ id }) => Number(id)),
    now,
  );
  await inTransaction(pool, async (session) => {
    await buildLeaderboard(session);
    await buildLargePositions(session);
    await buildTrending(session, "week", aProviderBoard(Object.values(WALLETS).map(walletOf)));
  });
  return now;
}
