import type { Pool } from "@neondatabase/serverless";
import { inTransaction, type Database } from "../../../../src/db/client.ts";
import { traders } from "../../../../src/db/schema.ts";
import { applyMarkets } from "../../../../src/ingest/markets/apply-markets.ts";
import { applyResolutions } from "../../../../src/ingest/markets/apply-resolutions.ts";
import { profileTraders } from "../../../../src/ingest/profiles/profile-traders.ts";
import { buildLargePositions } from "../../../../src/ingest/read-models/build-large-positions.ts";
import { buildLeaderboard } from "../../../../src/ingest/read-models/build-leaderboard.ts";
import { buildTrending } from "../../../../src/ingest/read-models/build-trending.ts";
import { valuePositions } from "../../../../src/ingest/ledger/value-positions.ts";
import type { ProviderActivity } from "../../../../src/platform/provider.ts";
import { aProviderBoard } from "../provider/provider-boards.ts";
import { anActivityProvider, followTrader, syncFollowedTrader } from "./followed-trader.ts";
import { aProviderMarket, aResolution } from "../provider/provider-markets.ts";
import {
  aTrade,
  anActivity,
  asActivity,
  FIRST_COMBINATION,
  pageOf,
  tokenOf,
  walletOf,
  type TradeFacts,
} from "../provider/provider-trades.ts";

/** Traders by the completeness of their history; the product's own code reads each history from activity. */
export const COMPLETENESS_TRADERS = {
  complete: 1,
  unmatched: 2,
  combining: 3,
  gapped: 4,
  pending: 5,
  unproven: 6,
} as const;

export type CompletenessCase = keyof typeof COMPLETENESS_TRADERS;

const START = 1_760_000_000;

let n = 0;
const fill = (state: CompletenessCase, facts: Partial<TradeFacts>): ProviderActivity => {
  n += 1;
  return asActivity(aTrade({ n, wallet: COMPLETENESS_TRADERS[state], atSeconds: START + n, ...facts }));
};

/**
 * Market 1: 10 shares for 5.00, which pay 10.00. Market 2: 10 shares for 2.00, which pay nothing. Market 3:
 * 100,000 shares for 50,000, now worth 60,000.
 */
const ordinary = (state: CompletenessCase): ProviderActivity[] => [
  fill(state, { market: 1, price: "0.5" }),
  fill(state, { market: 2, price: "0.2" }),
  fill(state, { market: 3, sharesMicro: 100_000_000_000n, price: "0.5" }),
];

const activityOf: Readonly<Record<CompletenessCase, () => ProviderActivity[]>> = {
  complete: () => ordinary("complete"),
  /** Plus 100 shares of market 4, sold for 60.00 without a recorded buy. */
  unmatched: () => [
    ...ordinary("unmatched"),
    fill("unmatched", { market: 4, side: "SELL", sharesMicro: 100_000_000n, price: "0.6" }),
  ],
  /** Plus 100 shares of a combination, bought for 10.00; half of them are sold for 1.00. */
  combining: () => [
    ...ordinary("combining"),
    fill("combining", { market: FIRST_COMBINATION, sharesMicro: 100_000_000n, price: "0.1" }),
    fill("combining", { market: FIRST_COMBINATION, side: "SELL", sharesMicro: 50_000_000n, price: "0.02" }),
  ],
  gapped: () => [...ordinary("gapped"), anActivity("MIGRATION", { n: 900, wallet: COMPLETENESS_TRADERS.gapped })],
  pending: () => [],
  /** Combo activity that is not proven, as between a sync and the read of its combos. */
  unproven: () => ordinary("unproven"),
};

/** @returns the time at which everything was read */
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
  await applyMarkets(pool, markets, [], now);
  for (const state of Object.keys(COMPLETENESS_TRADERS) as CompletenessCase[]) {
    await followTrader(pool, COMPLETENESS_TRADERS[state]);
    if (state !== "pending")
      await syncFollowedTrader(
        pool,
        anActivityProvider(COMPLETENESS_TRADERS[state], [pageOf(activityOf[state]())]),
        COMPLETENESS_TRADERS[state],
        now,
      );
  }
  await pool.query(
    `update trader_syncs set gaps = '{combination}' where trader_id = (select id from traders where address = $1)`,
    [walletOf(COMPLETENESS_TRADERS.unproven)],
  );
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
  await profileTraders(
    pool,
    rows.map(({ id }) => Number(id)),
    now,
  );
  await inTransaction(pool, async (session) => {
    await buildLeaderboard(session);
    await buildLargePositions(session);
  });
  await buildTrending(pool, "week", aProviderBoard(Object.values(COMPLETENESS_TRADERS).map(walletOf)));
  return now;
}
