import { expect, test } from "vitest";
import type { EventAccess } from "../../../src/events/define-event.ts";
import {
  EVENT_CATALOGUE,
  EVENT_SPELLINGS,
  EVENT_TYPES,
  eventTypeOf,
  spellingFor,
} from "../../../src/events/registry.ts";
import { listWebhookEvents } from "../../../src/operations/webhooks/list-webhook-events.ts";
import { CONTRACT_EVENT_NAMES } from "../../contract/contract.ts";

/*
 * The registry, compared with the contract's names and with the specification's sections on webhook event
 * types and on the stream.
 */
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

/** The names whose event has this access. */
const namesOf = (access: EventAccess) =>
  CONTRACT_EVENT_NAMES.filter((name) => {
    const type = eventTypeOf(name);
    return type !== null && EVENT_CATALOGUE[type].access === access;
  });

test("every name maps to an event type; the two names of a pair share one type and all others differ", () => {
  expect(EVENT_SPELLINGS.toSorted()).toEqual(CONTRACT_EVENT_NAMES.toSorted());
  for (const [name, older] of PAIRS) expect([name, eventTypeOf(older)]).toEqual([name, eventTypeOf(name)]);
  const olderNames = new Set<string>(PAIRS.map(([, older]) => older));
  expect(CONTRACT_EVENT_NAMES.filter((name) => !olderNames.has(name)).map(eventTypeOf)).toEqual(
    CONTRACT_EVENT_NAMES.filter((name) => !olderNames.has(name)),
  );
  expect(eventTypeOf("webhook.verification")).toBeNull();
});

test("an endpoint gets an event under the first name that it registered for it", () => {
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
      CONTRACT_EVENT_NAMES.filter((name) => !name.endsWith("trader_synced")),
    ),
  ).toBeNull();
});

test("the Pro events and the account events are those of the specification", () => {
  expect(namesOf("paid")).toEqual(PRO_ONLY);
  expect(namesOf("owner")).toEqual(OWNERS_ONLY);
});

test("the stream's frames have their published names, and each event type its own", () => {
  const frameOf = (name: string) => EVENT_CATALOGUE[eventTypeOf(name) ?? "trader_synced"].frame;
  expect(frameOf("large_trade_inserted_v2")).toBe("LargeTradeInsertedV2");
  expect(frameOf("whale_trades_inserted")).toBe("WhaleTradesInserted");
  expect(frameOf("wallet_grade_changed")).toBe("wallet_grade_changed");
  expect(frameOf("live_sports_updated")).toBe("LiveScoreChanged");
  expect(new Set(EVENT_TYPES.map((type) => EVENT_CATALOGUE[type].frame)).size).toBe(EVENT_TYPES.length);
});

test("the list of webhook events names the events that need a subscription and those of the account", async () => {
  if (listWebhookEvents.kind !== "list") throw new Error("listWebhookEvents is not a list");
  // The list is the same for every caller: the handler uses neither input nor context.
  const { data } = await listWebhookEvents.handle({} as never, {} as never);
  const saying = (words: string) =>
    data.flatMap((row) => (String(Object(row).description).includes(words) ? [Object(row).id] : []));
  expect(saying("paid subscription").toSorted()).toEqual(PRO_ONLY.toSorted());
  expect(saying("of the account").toSorted()).toEqual(OWNERS_ONLY.toSorted());
});
