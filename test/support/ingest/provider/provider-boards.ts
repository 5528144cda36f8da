import type { ProviderPage, ProviderLeaderboardRow } from "../../../../src/platform/provider.ts";
import { pageOf } from "./provider-trades.ts";

/**
 * The provider's leaderboard with these wallets from the top. `facts` (by rank) overrides the default profit
 * of a thousand dollars.
 */
export const aProviderBoard = (
  addresses: readonly string[],
  facts: readonly Partial<ProviderLeaderboardRow>[] = [],
): ProviderPage<ProviderLeaderboardRow> =>
  pageOf(
    addresses.map((address, index) => ({
      trader: { address, username: null, profileImage: null },
      rank: index + 1,
      pnlUsd: "1000",
      volumeShares: null,
      ...facts[index],
    })),
  );
