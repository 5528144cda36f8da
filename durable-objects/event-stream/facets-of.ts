import { EVENT_CATALOGUE, type EventType } from "../../src/events/registry.ts";
import { GRADES, type Grade } from "../../src/domain/traders/grades.ts";
import { parseMicro } from "../../src/domain/money.ts";
import type { FrameFacets } from "../../src/stream/frame-filter.ts";

/**
 * The facets by which an event's frame is filtered.
 *
 * @param data `data` of the frame
 * @param accountId owner of the event; null for a public event
 * @returns null for an owner-only event without an owner, which must not be sent to anyone
 */
export function facetsOf(
  type: EventType,
  data: Readonly<Record<string, unknown>>,
  accountId: number | null,
): FrameFacets | null {
  const { frame, access, facets = {} } = EVENT_CATALOGUE[type];
  if (access === "owner" && accountId === null) return null;
  const read = (field: string | undefined): unknown => (field === undefined ? undefined : data[field]);
  return {
    type: frame,
    conditionId: textOf(data["condition_id"]),
    grade: gradeOf(read(facets.grade)),
    wallet: textOf(read(facets.wallet))?.toLowerCase() ?? null,
    sizeMicro: microOf(read(facets.sizeUsd)),
    owner: accountId,
  };
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

const gradeOf = (value: unknown): Grade | null => GRADES.find((grade) => grade === value) ?? null;

function microOf(value: unknown): string | null {
  const micro = typeof value === "string" || typeof value === "number" ? parseMicro(value) : null;
  return micro === null || micro < 0n ? null : String(micro);
}
