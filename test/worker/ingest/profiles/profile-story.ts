import type { Pool } from "@neondatabase/serverless";
import { inTransaction } from "../../../../src/db/client.ts";
import { applyMarkets } from "../../../../src/ingest/apply-markets.ts";
import { applyResolutions } from "../../../../src/ingest/apply-resolutions.ts";
import { anActivityProvider, follow, sync } from "../../../support/ingest/followed-wallet.ts";
import { aProviderMarket, aResolution } from "../../../support/ingest/markets.ts";
import { aTrade, asActivity, conditionOf, pageOf, walletOf } from "../../../support/ingest/trades.ts";

/** The first day of the story; the last of its 40 is 2026-11-20. */
export const FIRST_DAY_MS = Date.parse("2026-10-12T00:00:00Z");
export const DAYS = 40;
export const NOON_OF_THE_LAST_DAY = new Date("2026-11-20T12:00:00Z");
const DAY_MS = 86_400_000;

export interface Bet {
  readonly market: number;
  readonly category: string | null;
  readonly tags: readonly string[];
  readonly day: number;
  readonly shares: number;
  readonly price: number;
  readonly fee: number;
  /** Half the shares are sold at this price on the day they were bought; null: none are. */
  readonly soldAt: number | null;
  readonly settledOn: number;
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

/** A bet a day: some sold by half, some with a fee, a third of them settled only on the next day, the last one after the story's end. */
export const BETS: readonly Bet[] = Array.from({ length: DAYS }, (_, day) => {
  const price = PRICES[day % PRICES.length] ?? 0;
  return {
    market: day + 1,
    ...(SUBJECTS[(day * 3) % SUBJECTS.length] ?? { category: null, tags: [] }),
    day,
    shares: 100 + 20 * (day % 7),
    price,
    fee: day % 5 === 0 ? 0.25 : 0,
    soldAt: day % 4 === 0 ? price + 0.1 : null,
    settledOn: day % 3 === 0 ? day + 1 : day,
    won: (day * 7) % 5 < 3 || day > 36,
  };
});

const at = (day: number, hours: number) => FIRST_DAY_MS / 1000 + day * 86_400 + hours * 3600;

/** Has the wallet of this number live through the story, by way of what the provider tells of it. @returns its row id */
export async function live(pool: Pool, wallet: number, bets: readonly Bet[] = BETS): Promise<number> {
  await follow(pool, wallet);
  const trades = bets.flatMap(({ market, day, shares, price, fee, soldAt }) => {
    const bought = { n: wallet * 1000 + 2 * market, wallet, market, sharesMicro: BigInt(shares) * 1_000_000n };
    const buy = { ...aTrade({ ...bought, price: String(price), atSeconds: at(day, 8) }), feeMicro: BigInt(Math.round(fee * 1e6)) };
    if (soldAt === null) return [buy];
    const sold = { ...bought, n: bought.n + 1, side: "SELL" as const, sharesMicro: bought.sharesMicro / 2n };
    return [buy, { ...aTrade({ ...sold, price: soldAt.toFixed(2), atSeconds: at(day, 9) }), feeMicro: 0n }];
  });
  await sync(pool, anActivityProvider(wallet, [pageOf(trades.map(asActivity))]), wallet, NOON_OF_THE_LAST_DAY);
  await inTransaction(pool, async (session) => {
    const markets = bets.map(({ market, category, tags }) => aProviderMarket(market, { category, tags: [...tags] }));
    await applyMarkets(session, markets, [], NOON_OF_THE_LAST_DAY);
    const settled = bets.filter(({ settledOn }) => settledOn < DAYS);
    await applyResolutions(
      session,
      settled.map(({ market }) => conditionOf(market)),
      settled.map(({ market, settledOn, won }) =>
        aResolution(market, won ? 1_000_000 : 0, new Date(FIRST_DAY_MS + settledOn * DAY_MS + 10 * 3_600_000)),
      ),
      [],
      NOON_OF_THE_LAST_DAY,
    );
  });
  const { rows } = await pool.query<{ id: string }>("select id from traders where address = $1", [walletOf(wallet)]);
  return Number(rows[0]?.id);
}
