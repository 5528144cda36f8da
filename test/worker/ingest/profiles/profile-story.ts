import type { Pool } from "@neondatabase/serverless";
import { inTransaction } from "../../../../src/db/client.ts";
import { applyMarkets } from "../../../../src/ingest/markets/apply-markets.ts";
import { applyResolutions } from "../../../../src/ingest/markets/apply-resolutions.ts";
import {
  anActivityProvider,
  followTrader,
  syncFollowedTrader,
} from "../../../support/ingest/worlds/followed-trader.ts";
import { aProviderMarket, aResolution } from "../../../support/ingest/provider/provider-markets.ts";
import { aTrade, asActivity, conditionOf, pageOf, walletOf } from "../../../support/ingest/provider/provider-trades.ts";
import { DAY_MS } from "../../../../src/scoring/utc-calendar.ts";

/** The first day of the story. Its last, the 40th, is 2026-11-20. */
export const STORY_FIRST_DAY_MS = Date.parse("2026-10-12T00:00:00Z");
export const STORY_DAYS = 40;
export const STORY_LAST_NOON = new Date("2026-11-20T12:00:00Z");

export interface StoryBet {
  readonly market: number;
  readonly category: string | null;
  readonly tags: readonly string[];
  readonly day: number;
  readonly shares: number;
  readonly price: number;
  readonly fee: number;
  /** The price at which half the shares are sold on the day of the buy; null if none are sold. */
  readonly sellPrice: number | null;
  readonly settledDay: number;
  readonly won: boolean;
}

const PRICES = [0.4, 0.6, 0.25, 0.5, 0.8];
const SUBJECTS = [
  { category: "Politics", tags: [] },
  { category: "Crypto", tags: [] },
  { category: "Esports", tags: ["esports", "dota2"] },
  { category: "Politics", tags: [] },
  { category: null, tags: [] },
];

/**
 * One bet a day. Some are half sold, some have a fee, a third settle a day later, the last one after the
 * story ends.
 */
export const STORY_BETS: readonly StoryBet[] = Array.from({ length: STORY_DAYS }, (_, day) => {
  const price = PRICES[day % PRICES.length] ?? 0;
  return {
    market: day + 1,
    ...(SUBJECTS[(day * 3) % SUBJECTS.length] ?? { category: null, tags: [] }),
    day,
    shares: 100 + 20 * (day % 7),
    price,
    fee: day % 5 === 0 ? 0.25 : 0,
    sellPrice: day % 4 === 0 ? price + 0.1 : null,
    settledDay: day % 3 === 0 ? day + 1 : day,
    won: (day * 7) % 5 < 3 || day > 36,
  };
});

const at = (day: number, hours: number) => STORY_FIRST_DAY_MS / 1000 + day * 86_400 + hours * 3600;

/** Feeds the story to the ingest as the activity of this trader. @returns the id of its row */
export async function ingestStory(pool: Pool, wallet: number, bets: readonly StoryBet[] = STORY_BETS): Promise<number> {
  await followTrader(pool, wallet);
  const trades = bets.flatMap(({ market, day, shares, price, fee, sellPrice }) => {
    const bought = { n: wallet * 1000 + 2 * market, wallet, market, sharesMicro: BigInt(shares) * 1_000_000n };
    const buy = {
      ...aTrade({ ...bought, price: String(price), atSeconds: at(day, 8) }),
      feeMicro: BigInt(Math.round(fee * 1e6)),
    };
    if (sellPrice === null) return [buy];
    const sold = { ...bought, n: bought.n + 1, side: "SELL" as const, sharesMicro: bought.sharesMicro / 2n };
    return [buy, { ...aTrade({ ...sold, price: sellPrice.toFixed(2), atSeconds: at(day, 9) }), feeMicro: 0n }];
  });
  await syncFollowedTrader(pool, anActivityProvider(wallet, [pageOf(trades.map(asActivity))]), wallet, STORY_LAST_NOON);
  const markets = bets.map(({ market, category, tags }) => aProviderMarket(market, { category, tags: [...tags] }));
  await applyMarkets(pool, markets, [], STORY_LAST_NOON);
  await inTransaction(pool, async (session) => {
    const settled = bets.filter(({ settledDay }) => settledDay < STORY_DAYS);
    await applyResolutions(
      session,
      settled.map(({ market }) => conditionOf(market)),
      settled.map(({ market, settledDay, won }) =>
        aResolution(market, won ? 1_000_000 : 0, new Date(STORY_FIRST_DAY_MS + settledDay * DAY_MS + 10 * 3_600_000)),
      ),
      [],
      STORY_LAST_NOON,
    );
  });
  const { rows } = await pool.query<{ id: string }>("select id from traders where address = $1", [walletOf(wallet)]);
  return Number(rows[0]?.id);
}
