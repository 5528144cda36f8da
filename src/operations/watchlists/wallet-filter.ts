import { ApiError } from "../../api/errors.ts";
import { patternListParam, textParam } from "../../api/request/query-params.ts";
import { parseId } from "../../domain/ids.ts";
import { MAX_FILTER_WALLETS } from "../../domain/watchlists/watchlist-limits.ts";
import { EXAMPLE_WALLET_ADDRESS } from "../shared-fields.ts";
import { WALLET_PATTERN, WATCHLIST_ID_PATTERN } from "./schemas.ts";

/** The query parameters that filter large trades by wallet, in the stream and in the replay. */
export const WALLET_FILTER_PARAMS = {
  wallet: patternListParam({ max: MAX_FILTER_WALLETS, pattern: WALLET_PATTERN }).meta({
    description:
      "Only large trades (`LargeTradeInsertedV2` in the stream) of these wallet addresses. For more addresses use " +
      "`watchlist`; both together are refused with 400.",
    example: [EXAMPLE_WALLET_ADDRESS],
  }),
  watchlist: textParam({ pattern: WATCHLIST_ID_PATTERN }).meta({
    description:
      "Only large trades (`LargeTradeInsertedV2` in the stream) of the wallets in this watchlist of the account, as " +
      "the list is when the trade is sent. An empty list matches no trade. An id that is not a watchlist of this " +
      "account is refused with 400.",
    example: "wl_5",
  }),
};

export interface WalletFilterQuery {
  readonly wallet: readonly string[] | null;
  readonly watchlist: string | null;
}

/** At most one of the two is not null. */
export interface WalletFilter {
  /** In lower case, sorted, each once. */
  readonly wallets: readonly string[] | null;
  readonly watchlistId: number | null;
}

/** @throws ApiError invalid_query for both filters together: whether a wallet must be in both would be unclear */
export function parseWalletFilter({ wallet, watchlist }: WalletFilterQuery): WalletFilter {
  if (wallet !== null && watchlist !== null)
    throw new ApiError("invalid_query", {
      param: "watchlist",
      message: "Use wallet or watchlist, not both. Add the addresses to the list.",
    });
  return {
    wallets: wallet === null ? null : [...new Set(wallet.map((text) => text.toLowerCase()))].toSorted(),
    watchlistId: watchlist === null ? null : parseId("watchlist", watchlist),
  };
}

/** The same error for an id that does not exist and for another account's. */
export const unknownWatchlist = (): ApiError =>
  new ApiError("invalid_query", { param: "watchlist", message: "This account has no watchlist with this id." });
