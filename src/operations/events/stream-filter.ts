import { ApiError } from "../../api/errors.ts";
import { parseConditionId, parseId } from "../../domain/ids.ts";
import type { Grade } from "../../domain/traders/grades.ts";
import { parseMicro } from "../../domain/money.ts";
import { FRAME_TYPES, type FrameFilter } from "../../stream/frame-filter.ts";
import { floorLowerBound } from "../../scoring/dollar-floor.ts";
import type { MarketRef } from "../../queries/markets/is-market.ts";
import { parseWalletFilter, type WalletFilterQuery } from "../watchlists/wallet-filter.ts";

/** Filter parameters of the request; null when left out. */
export interface StreamFilterQuery extends WalletFilterQuery {
  readonly event: string | null;
  readonly condition_id: string | null;
  readonly min_grade: Grade | null;
  readonly min_size: string | null;
}

/**
 * Parses the frame filter of a connection.
 *
 * @param findConditionId finds the condition id of a market by its mkt_ id; null for an unknown market
 * @throws ApiError invalid_query naming the parameter
 */
export async function parseStreamFilter(
  query: StreamFilterQuery,
  findConditionId: (ref: MarketRef) => Promise<string | null>,
): Promise<FrameFilter> {
  return {
    types: parseTypes(query.event),
    conditionId: query.condition_id === null ? null : await parseCondition(query.condition_id, findConditionId),
    minGrade: query.min_grade,
    ...parseWallets(query),
    minSizeMicro: query.min_size === null ? null : parseSize(query.min_size),
  };
}

function parseWallets(query: WalletFilterQuery): Pick<FrameFilter, "wallet" | "wallets" | "watchlist"> {
  const { wallets, watchlistId } = parseWalletFilter(query);
  if (watchlistId !== null) return { watchlist: watchlistId };
  return wallets === null || wallets.length === 1 ? { wallet: wallets?.[0] ?? null } : { wallets };
}

/** A blank value means no filter. */
function parseTypes(text: string | null): readonly string[] | null {
  const names = (text ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const unknown = names.find((name) => !FRAME_TYPES.includes(name));
  // Truncated: clients read at most 64 KiB of an error, and a name can be as long as a URL.
  if (unknown !== undefined)
    throw refuse("event", `${unknown.slice(0, 100)} is not a frame type. Use one of ${FRAME_TYPES.join(", ")}.`);
  return names.length === 0 ? null : [...new Set(names)];
}

async function parseCondition(
  text: string,
  findConditionId: (ref: MarketRef) => Promise<string | null>,
): Promise<string> {
  const trimmed = text.trim();
  const id = parseId("market", trimmed);
  // An unknown condition id is valid, because its market can still appear. Any other text is an error.
  const conditionId = id === null ? parseConditionId(trimmed) : await findConditionId({ id });
  if (conditionId === null)
    throw refuse("condition_id", "condition_id must be a condition id or the mkt_ id of a known market.");
  return conditionId;
}

function parseSize(text: string): string {
  const micro = parseMicro(text);
  if (micro === null || micro <= 0n) throw refuse("min_size", "min_size must be more than 0.");
  return String(floorLowerBound(micro));
}

const refuse = (param: string, message: string): ApiError => new ApiError("invalid_query", { param, message });

/**
 * Parses a resume point, a whole number. Any other text, or none, starts the stream live (null). Larger
 * numbers are capped at the largest safe integer, which lies in the future of the stream.
 */
export function parseResumePoint(text: string | null): number | null {
  const digits = text?.trim() ?? "";
  return /^\d+$/.test(digits) ? Math.min(Number(digits), Number.MAX_SAFE_INTEGER) : null;
}
