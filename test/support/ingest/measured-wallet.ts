import type { Pool } from "@neondatabase/serverless";
import type { Database } from "../../../src/db/client.ts";
import { providerFigures } from "../../../src/db/schema.ts";
import { measureWallets } from "../../../src/ingest/provider-figures/measure-wallets.ts";
import type { Page, Provider, ProviderPosition, ProviderStanding } from "../../../src/ports/provider.ts";
import { aProviderMarket, aResolution } from "./markets.ts";
import { conditionOf, pageOf, tokenOf, walletOf } from "./trades.ts";
import { aWrittenProvider } from "./written-provider.ts";

export const MEASURED_AT = new Date("2026-11-20T12:00:00Z");

/** The provider's row of the first outcome of market 1: ten shares bought and sold, a dollar made. */
export function aProviderPosition(facts: Partial<ProviderPosition> & { market?: number; outcome?: 0 | 1 } = {}): ProviderPosition {
  const { market = 1, outcome = 0, ...row } = facts;
  return {
    conditionId: conditionOf(market),
    tokenId: tokenOf(market, outcome),
    heldSharesMicro: 0n,
    boughtSharesMicro: 10_000_000n,
    realizedMicro: 1_000_000n,
    unrealizedMicro: 0n,
    isRedeemable: false,
    ...row,
  };
}

export interface Told {
  readonly standings?: readonly ProviderStanding[];
  readonly open?: readonly Page<ProviderPosition>[];
  readonly closed?: readonly Page<ProviderPosition>[];
}

/** A provider that tells the figures of wallet 1, and of two markets of which the first has resolved for its first outcome. */
export const aFiguresProvider = ({ standings = [], open = [], closed = [] }: Told): Provider =>
  aWrittenProvider({
    takers: [],
    all: [],
    activity: {},
    markets: [1, 2].map((market) => aProviderMarket(market)),
    resolutions: [aResolution(1, 1_000_000)],
    standings: { [walletOf(1)]: standings },
    positions: { [walletOf(1)]: { open, closed } },
  });

export const positionsPage = (...rows: ProviderPosition[]): Page<ProviderPosition> => pageOf(rows);

/** Measures wallets at a time, by their row ids. */
export const measure = (pool: Pool, provider: Provider, traderIds: readonly number[], at: Date = MEASURED_AT) =>
  measureWallets(pool, provider, traderIds, () => at);

export const figuresOf = async (db: Database) =>
  (await db.select().from(providerFigures).orderBy(providerFigures.traderId)) as readonly (typeof providerFigures.$inferSelect)[];
