import { ApiError } from "../../api/errors.ts";
import { parseConditionId, parseId, parseWallet } from "../../domain/ids.ts";
import type { Grade } from "../../domain/grades.ts";
import { parseMicro } from "../../domain/money.ts";
import { FRAME_TYPES, type FrameFilter } from "../../domain/stream/frame-filter.ts";
import { leastReaching } from "../../scoring/dollar-floor.ts";
import type { MarketRef } from "../../queries/market-ref.ts";

/** The filters as they are sent; null when left out. */
export interface SentFilters {
  readonly event: string | null;
  readonly condition_id: string | null;
  readonly min_grade: Grade | null;
  readonly wallet: string | null;
  readonly min_size: string | null;
}

/**
 * What a connection wants.
 *
 * @param findConditionId the condition id of a market that is named by our own id; null when there is no such market
 * @throws ApiError invalid_query naming the parameter
 */
export async function parseFilter(sent: SentFilters, findConditionId: (ref: MarketRef) => Promise<string | null>): Promise<FrameFilter> {
  return {
    types: parseTypes(sent.event),
    conditionId: sent.condition_id === null ? null : await parseCondition(sent.condition_id, findConditionId),
    minGrade: sent.min_grade,
    wallet: sent.wallet === null ? null : parseWallet(sent.wallet),
    minSizeMicro: sent.min_size === null ? null : parseSize(sent.min_size),
  };
}

/** Blank is no filter. */
function parseTypes(text: string | null): readonly string[] | null {
  const names = (text ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const unknown = names.find((name) => !FRAME_TYPES.includes(name));
  // Clients read 64 KiB of an error at most, and a name can be as long as an address.
  if (unknown !== undefined) throw refuse("event", `${unknown.slice(0, 100)} is no frame type. There are ${FRAME_TYPES.join(", ")}.`);
  return names.length === 0 ? null : [...new Set(names)];
}

async function parseCondition(text: string, findConditionId: (ref: MarketRef) => Promise<string | null>): Promise<string> {
  const trimmed = text.trim();
  const id = parseId("market", trimmed);
  // One that we do not know yet may come; one that is no condition id never will.
  const conditionId = id === null ? parseConditionId(trimmed) : await findConditionId({ id });
  if (conditionId === null) throw refuse("condition_id", "condition_id has to be a condition id, or the mkt_ id of a market.");
  return conditionId;
}

function parseSize(text: string): string {
  const micro = parseMicro(text);
  if (micro === null || micro <= 0n) throw refuse("min_size", "min_size must be more than 0.");
  return String(leastReaching(micro));
}

const refuse = (param: string, message: string): ApiError => new ApiError("invalid_query", { param, message });

/** A resume point: a whole number. Anything else attaches live, as does none. Beyond what numbers can tell apart all are in the future. */
export function parseResumePoint(text: string | null): number | null {
  const digits = text?.trim() ?? "";
  return /^\d+$/.test(digits) ? Math.min(Number(digits), Number.MAX_SAFE_INTEGER) : null;
}
