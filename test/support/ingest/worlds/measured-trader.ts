import type { Pool } from "@neondatabase/serverless";
import type { Database } from "../../../../src/db/client.ts";
import { providerFigures } from "../../../../src/db/schema.ts";
import { measureTraders } from "../../../../src/ingest/provider-figures/measure-traders.ts";
import type {
  ProviderPage,
  Provider,
  ProviderPosition,
  ProviderAllTimeStats,
} from "../../../../src/platform/provider.ts";
import { aProviderMarket, aResolution } from "../provider/provider-markets.ts";
import { conditionOf, pageOf, tokenOf, walletOf } from "../provider/provider-trades.ts";
import { aPagedProvider } from "../provider/paged-provider.ts";

export const MEASURED_AT = new Date("2026-11-20T12:00:00Z");

/** The provider's row for the first outcome of market 1: ten shares bought and sold, one dollar of profit. */
export function aProviderPosition(
  facts: Partial<ProviderPosition> & { market?: number; outcome?: 0 | 1 } = {},
): ProviderPosition {
  const { market = 1, outcome = 0, ...row } = facts;
  return {
    conditionId: conditionOf(market),
    tokenId: tokenOf(market, outcome),
    openSharesMicro: 0n,
    boughtSharesMicro: 10_000_000n,
    realizedMicro: 1_000_000n,
    unrealizedMicro: 0n,
    isRedeemable: false,
    ...row,
  };
}

export interface ProviderFiguresInput {
  readonly standings?: readonly ProviderAllTimeStats[];
  readonly open?: readonly ProviderPage<ProviderPosition>[];
  readonly closed?: readonly ProviderPage<ProviderPosition>[];
}

/**
 * A provider with the given figures of trader 1 and two markets; the first market has resolved for its first
 * outcome.
 */
export const aFiguresProvider = ({ standings = [], open = [], closed = [] }: ProviderFiguresInput): Provider =>
  aPagedProvider({
    takers: [],
    all: [],
    activity: {},
    markets: [1, 2].map((market) => aProviderMarket(market)),
    resolutions: [aResolution(1, 1_000_000)],
    standings: { [walletOf(1)]: standings },
    positions: { [walletOf(1)]: { open, closed } },
  });

export const positionsPage = (...rows: ProviderPosition[]): ProviderPage<ProviderPosition> => pageOf(rows);

/** Measures traders at this time, by their row ids. */
export const measureProviderFigures = (
  pool: Pool,
  provider: Provider,
  traderIds: readonly number[],
  at: Date = MEASURED_AT,
) => measureTraders(pool, provider, traderIds, () => at);

export const storedProviderFigures = async (db: Database) =>
  (await db
    .select()
    .from(providerFigures)
    .orderBy(providerFigures.traderId)) as readonly (typeof providerFigures.$inferSelect)[];
