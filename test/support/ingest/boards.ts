import type { Page, ProviderBoardRow } from "../../../src/ports/provider.ts";
import { pageOf } from "./trades.ts";

/** The provider's board with these wallets from the top, as the facts (by place) say: a thousand dollars each unless they do. */
export const aProviderBoard = (addresses: readonly string[], facts: readonly Partial<ProviderBoardRow>[] = []): Page<ProviderBoardRow> =>
  pageOf(
    addresses.map((address, index) => ({
      wallet: { address, username: null, profileImage: null },
      rank: index + 1,
      pnlUsd: "1000",
      volumeShares: null,
      ...facts[index],
    })),
  );
