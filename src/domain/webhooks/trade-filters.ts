import { z } from "zod";
import { reachesFloor } from "../../scoring/dollar-floor.ts";
import { GRADES, gradesFrom } from "../grades.ts";
import { parseConditionId } from "../ids.ts";
import { parseMicro } from "../money.ts";

/**
 * Which large trades an endpoint is told of, as stored: all that are given have to hold, `{}` lets every trade pass. A market may be given
 * by its `mkt_` id; whoever compares has looked its condition id up by then.
 */
export const TradeFilters = z.strictObject({
  condition_id: z.string().optional(),
  wallet: z.string().optional(),
  min_grade: z.enum(GRADES).optional(),
  min_size_usd: z.string().optional(),
});

export type TradeFilters = z.output<typeof TradeFilters>;

/** What is compared, of the data of a `large_trade_inserted_v2`. */
const TradeFacts = z.object({
  condition_id: z.string(),
  wallet: z.string(),
  /** As it was when the event was published. */
  grade: z.enum(GRADES).nullable(),
  size_usd: z.string(),
});

/** Whether a large trade passes. An ungraded wallet passes no minimum grade; sizes are compared in cents. */
export function passesFilters(filters: TradeFilters, data: Readonly<Record<string, unknown>>): boolean {
  if (Object.keys(filters).length === 0) return true;
  const trade = TradeFacts.parse(data);
  const { condition_id: conditionId, wallet, min_grade: minGrade, min_size_usd: minSize } = filters;
  if (conditionId !== undefined && !isSameMarket(conditionId, trade.condition_id)) return false;
  if (wallet !== undefined && wallet.toLowerCase() !== trade.wallet.toLowerCase()) return false;
  if (minGrade !== undefined && (trade.grade === null || !gradesFrom(minGrade).includes(trade.grade))) return false;
  return minSize === undefined || isAtLeast(trade.size_usd, minSize);
}

/** What is no condition id is no market's. */
function isSameMarket(one: string, other: string): boolean {
  const conditionId = parseConditionId(one);
  return conditionId !== null && conditionId === parseConditionId(other);
}

function isAtLeast(size: string, minimum: string): boolean {
  const [sizeMicro, minimumMicro] = [parseMicro(size), parseMicro(minimum)];
  return sizeMicro !== null && minimumMicro !== null && reachesFloor(sizeMicro, minimumMicro);
}
