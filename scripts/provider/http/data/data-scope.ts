import type { Market, ActivityRecord, ProviderWorld } from "../../provider-world.ts";
import { NO_ACTIVITY, compareActivity } from "../../activity-log.ts";
import { Refusal, type Query } from "../request.ts";

const WALLET = /^0x[0-9a-f]{40}$/;
const CONDITION = /^0x(?:[0-9a-f]{62}|[0-9a-f]{64})$/;
const MOST_CONDITIONS = 20;

/**
 * The address of the requested user; null without one; "nobody" for a value that can match no wallet (a CSV,
 * for example).
 */
export function userOf(query: Query): string | null {
  const user = query.text("user");
  if (user === null) return null;
  return WALLET.test(user.toLowerCase()) ? user.toLowerCase() : "nobody";
}

/** @throws Refusal 400 for a malformed condition or more than 20 */
export function conditionsOf(query: Query): readonly string[] | null {
  const values = csv(query, "condition", "condition_id");
  if (values === null) return null;
  const conditions = values.map((value) => value.toLowerCase());
  if (conditions.some((value) => !CONDITION.test(value))) throw new Refusal(400, "malformed condition", "condition");
  return conditions;
}

export function eventIdsOf(query: Query, ...names: string[]): readonly string[] | null {
  return csv(query, "event_id", ...names);
}

function csv(query: Query, ...names: string[]): readonly string[] | null {
  const text = names.map((name) => query.text(name)).find((value) => value !== null);
  if (text === undefined || text === null) return null;
  const values = [...new Set(text.split(",").map((value) => value.trim()))];
  if (values.length > MOST_CONDITIONS) throw new Refusal(400, `at most ${MOST_CONDITIONS} values`, names[0] ?? null);
  return values;
}

/** The markets of the given conditions or events; unknown ones are left out. */
export function marketsOf(
  world: ProviderWorld,
  conditions: readonly string[] | null,
  eventIds: readonly string[] | null,
): readonly Market[] {
  if (conditions !== null) {
    for (const condition of conditions) world.loadCondition(condition);
    return conditions.flatMap((condition) => world.catalog.findMarket(condition) ?? []);
  }
  return (eventIds ?? []).flatMap((id) => world.catalog.findEvent(id)?.markets ?? []);
}

/** The activity of several conditions in block order. */
export function activityOf(world: ProviderWorld, conditions: readonly string[]): readonly ActivityRecord[] {
  for (const condition of conditions) world.loadCondition(condition);
  const lists = conditions.map((condition) => world.activity.ofCondition(condition)).filter((list) => list.length > 0);
  if (lists.length <= 1) return lists[0] ?? NO_ACTIVITY;
  return lists.flat().sort(compareActivity);
}
