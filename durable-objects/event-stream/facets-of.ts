import { EVENT_CATALOGUE, type EventType } from "../../src/domain/event-catalogue.ts";
import { GRADES, type Grade } from "../../src/domain/grades.ts";
import { parseMicro } from "../../src/domain/money.ts";
import type { FrameFacets } from "../../src/domain/stream/frame-filter.ts";

/**
 * What an event's frame is filtered by.
 *
 * @param data as its frame tells it
 * @param accountId whose event it is
 * @returns null for an event that only its owner may be told of and that names none: nobody may be told
 */
export function facetsOf(type: EventType, data: Readonly<Record<string, unknown>>, accountId: number | null): FrameFacets | null {
  const { frame, isOwnersOnly } = EVENT_CATALOGUE[type];
  if (isOwnersOnly && accountId === null) return null;
  const isTrade = type === "large_trade_inserted_v2";
  return {
    type: frame,
    conditionId: textOf(data["condition_id"]),
    grade: isTrade ? gradeOf(data["grade"]) : type === "wallet_grade_changed" ? gradeOf(data["new_grade"]) : null,
    wallet: isTrade ? (textOf(data["wallet"])?.toLowerCase() ?? null) : null,
    sizeMicro: isTrade ? microOf(data["size_usd"]) : null,
    owner: accountId,
  };
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

const gradeOf = (value: unknown): Grade | null => GRADES.find((grade) => grade === value) ?? null;

function microOf(value: unknown): string | null {
  const micro = typeof value === "string" || typeof value === "number" ? parseMicro(value) : null;
  return micro === null || micro < 0n ? null : String(micro);
}
