import { z } from "zod";
import { reachesFloor } from "../../scoring/dollar-floor.ts";
import { GRADES, gradesFrom } from "../../domain/traders/grades.ts";
import { parseConditionId, parseId } from "../../domain/ids.ts";
import { isWatched, type WatchlistMatches } from "../../domain/watchlists/watchlist-matches.ts";
import { parseMicro } from "../../domain/money.ts";

/**
 * Which large trades an endpoint receives, as stored: all given conditions must hold; `{}` accepts every
 * trade. A market may be given by its `mkt_` id; the caller must resolve it to a condition id before
 * comparing.
 */
export const TradeFilters = z.strictObject({
  condition_id: z.string().optional(),
  wallet: z.string().optional(),
  wallets: z.array(z.string()).optional(),
  /** A wl_ id. */
  watchlist: z.string().optional(),
  min_grade: z.enum(GRADES).optional(),
  min_size_usd: z.string().optional(),
});

export type TradeFilters = z.output<typeof TradeFilters>;

/** The fields of a `large_trade_inserted_v2` that filters compare. */
const TradeFacts = z.object({
  condition_id: z.string(),
  wallet: z.string(),
  /** The grade when the event was published. */
  grade: z.enum(GRADES).nullable(),
  size_usd: z.string(),
});

/**
 * Whether a large trade passes. An ungraded trader passes no minimum grade; sizes are compared in cents.
 *
 * @param accountId whose watchlist the filters may name
 * @param matches of the trade's wallet with the filter's watchlist
 */
export function passesFilters(
  filters: TradeFilters,
  data: Readonly<Record<string, unknown>>,
  accountId: number,
  matches: WatchlistMatches,
): boolean {
  if (Object.keys(filters).length === 0) return true;
  const trade = TradeFacts.parse(data);
  const { condition_id: conditionId, wallet, wallets, watchlist, min_grade: minGrade, min_size_usd: minSize } = filters;
  if (conditionId !== undefined && !isSameMarket(conditionId, trade.condition_id)) return false;
  const traded = trade.wallet.toLowerCase();
  if (wallet !== undefined && wallet.toLowerCase() !== traded) return false;
  if (wallets !== undefined && !wallets.some((one) => one.toLowerCase() === traded)) return false;
  if (watchlist !== undefined && !isInWatchlist(watchlist, accountId, traded, matches)) return false;
  if (minGrade !== undefined && (trade.grade === null || !gradesFrom(minGrade).includes(trade.grade))) return false;
  return minSize === undefined || isAtLeast(trade.size_usd, minSize);
}

function isInWatchlist(watchlist: string, accountId: number, wallet: string, matches: WatchlistMatches): boolean {
  const id = parseId("watchlist", watchlist);
  return id !== null && isWatched(matches, { accountId, id }, wallet);
}

/** An invalid condition id matches no market. */
function isSameMarket(left: string, right: string): boolean {
  const conditionId = parseConditionId(left);
  return conditionId !== null && conditionId === parseConditionId(right);
}

function isAtLeast(size: string, minimum: string): boolean {
  const [sizeMicro, minimumMicro] = [parseMicro(size), parseMicro(minimum)];
  return sizeMicro !== null && minimumMicro !== null && reachesFloor(sizeMicro, minimumMicro);
}
