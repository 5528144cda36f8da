import { expect, test } from "vitest";
import { EVENT_CATALOGUE, EVENT_SPELLINGS, EVENT_TYPES, eventTypeOf, spellingFor } from "../../../src/domain/event-catalogue.ts";
import { listWebhookEvents } from "../../../src/operations/webhooks/list-webhook-events.ts";

/*
 * The catalogue against the words of the specification's section "Webhook event types" and of its stream's.
 */
const NAMES =
  "large_trade_inserted_v2, large_trades_inserted, whale_trades_inserted, live_sports_updated, trader_synced, whale_trader_synced, large_positions_updated, wallet_grade_changed, suspicious_trade_flagged, insider_radar_flag_raised, sharp_money_flow_detected, smart_money_flow_detected, export_job_ready, export_job_failed, export_job_expired, export_job_cancelled".split(
    ", ",
  );
const PAIRS = [
  ["large_trades_inserted", "whale_trades_inserted"],
  ["trader_synced", "whale_trader_synced"],
  ["suspicious_trade_flagged", "insider_radar_flag_raised"],
  ["sharp_money_flow_detected", "smart_money_flow_detected"],
] as const;
const PRO_ONLY =
  "large_trades_inserted, whale_trades_inserted, wallet_grade_changed, suspicious_trade_flagged, insider_radar_flag_raised, sharp_money_flow_detected, smart_money_flow_detected".split(
    ", ",
  );
const OWNERS_ONLY = "export_job_ready, export_job_failed, export_job_expired, export_job_cancelled".split(", ");

/** The names whose event's definition says so. */
const namesOf = (says: "isProOnly" | "isOwnersOnly") =>
  NAMES.filter((name) => {
    const type = eventTypeOf(name);
    return type !== null && EVENT_CATALOGUE[type][says];
  });

test("every name stands for an event, two of a pair for the same one, and no others for one together", () => {
  expect(EVENT_SPELLINGS.toSorted()).toEqual(NAMES.toSorted());
  for (const [name, older] of PAIRS) expect([name, eventTypeOf(older)]).toEqual([name, eventTypeOf(name)]);
  const later = new Set<string>(PAIRS.map(([, older]) => older));
  expect(NAMES.filter((name) => !later.has(name)).map(eventTypeOf)).toEqual(NAMES.filter((name) => !later.has(name)));
  expect(eventTypeOf("webhook.verification")).toBeNull();
});

test("an endpoint is told under the spelling that it registered, and of one registered twice under the first", () => {
  for (const [name, older] of PAIRS) {
    const type = eventTypeOf(name) ?? "trader_synced";
    expect([[name], [older], [older, name], [name, older]].map((registered) => spellingFor(type, registered))).toEqual([
      name,
      older,
      older,
      name,
    ]);
  }
  expect(
    spellingFor(
      "trader_synced",
      NAMES.filter((name) => !name.endsWith("trader_synced")),
    ),
  ).toBeNull();
});

test("subscribers' events and owners' events are those that the specification names", () => {
  expect(namesOf("isProOnly")).toEqual(PRO_ONLY);
  expect(namesOf("isOwnersOnly")).toEqual(OWNERS_ONLY);
});

test("the stream's frames have the names that are known of them, and each event its own", () => {
  const frameOf = (name: string) => EVENT_CATALOGUE[eventTypeOf(name) ?? "trader_synced"].frame;
  expect(frameOf("large_trade_inserted_v2")).toBe("LargeTradeInsertedV2");
  expect(frameOf("whale_trades_inserted")).toBe("WhaleTradesInserted");
  expect(frameOf("wallet_grade_changed")).toBe("wallet_grade_changed");
  expect(frameOf("live_sports_updated")).toBe("LiveScoreChanged");
  expect(new Set(EVENT_TYPES.map((type) => EVENT_CATALOGUE[type].frame)).size).toBe(EVENT_TYPES.length);
});

test("the list that endpoints are registered from says in its words which need a subscription, and which are an account's own", async () => {
  if (listWebhookEvents.kind !== "list") throw new Error("it is a list");
  // It is the same for everybody: what it is asked with and who asks it does not look at.
  const { data } = await listWebhookEvents.handle({} as never, {} as never);
  const saying = (words: string) => data.flatMap((row) => (String(Object(row).description).includes(words) ? [Object(row).id] : []));
  expect(saying("paid subscription").toSorted()).toEqual(PRO_ONLY.toSorted());
  expect(saying("of the account").toSorted()).toEqual(OWNERS_ONLY.toSorted());
});
