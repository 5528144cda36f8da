import type { z } from "zod";
import type { EventDefinition } from "./define-event.ts";
import { exportJobCancelled } from "./definitions/export-job-cancelled.ts";
import { exportJobExpired } from "./definitions/export-job-expired.ts";
import { exportJobFailed } from "./definitions/export-job-failed.ts";
import { exportJobReady } from "./definitions/export-job-ready.ts";
import { largePositionsUpdated } from "./definitions/large-positions-updated.ts";
import { largeTradeInsertedV2 } from "./definitions/large-trade-inserted-v2.ts";
import { largeTradesInserted } from "./definitions/large-trades-inserted.ts";
import { liveSportsUpdated } from "./definitions/live-sports-updated.ts";
import { sharpMoneyFlowDetected } from "./definitions/sharp-money-flow-detected.ts";
import { suspiciousTradeFlagged } from "./definitions/suspicious-trade-flagged.ts";
import { traderSynced } from "./definitions/trader-synced.ts";
import { walletGradeChanged } from "./definitions/wallet-grade-changed.ts";

/** All events, in the order of the list of webhook events and of the API document. */
const EVENTS = [
  largeTradeInsertedV2,
  largeTradesInserted,
  liveSportsUpdated,
  traderSynced,
  largePositionsUpdated,
  walletGradeChanged,
  suspiciousTradeFlagged,
  sharpMoneyFlowDetected,
  exportJobReady,
  exportJobFailed,
  exportJobExpired,
  exportJobCancelled,
] as const;

type AnyDefinition = (typeof EVENTS)[number];

/** The types of published events, under the names stored in the outbox. */
export type EventType = AnyDefinition["type"];

/** The payload of an event type, as its producer gives it. */
export type EventPayload<Type extends EventType> = z.input<Extract<AnyDefinition, { type: Type }>["payload"]>;

export const EVENT_TYPES: readonly EventType[] = EVENTS.map(({ type }) => type);

// The cast holds because every event type is the `type` of a row.
export const EVENT_CATALOGUE = Object.fromEntries(
  EVENTS.map((event): [EventType, EventDefinition<EventType>] => [event.type, event]),
) as Readonly<Record<EventType, EventDefinition<EventType>>>;

/** All names under which events can be registered. */
export const EVENT_SPELLINGS: readonly string[] = EVENTS.flatMap(({ spellings }) => spellings);

/** The event type of a registered name, or null. */
export const eventTypeOf = (spelling: string): EventType | null =>
  EVENT_TYPES.find((type) => EVENT_CATALOGUE[type].spellings.includes(spelling)) ?? null;

/**
 * The name under which an endpoint receives an event: the first matching name it registered, so that an event
 * registered under two names is delivered once. Null when none matches.
 */
export const spellingFor = (type: EventType, registered: readonly string[]): string | null =>
  registered.find((spelling) => EVENT_CATALOGUE[type].spellings.includes(spelling)) ?? null;

/** The schema of `data` as subscribers receive it. */
export const dataSchemaOf = (type: EventType): z.ZodObject =>
  EVENT_CATALOGUE[type].data ?? EVENT_CATALOGUE[type].payload;

/**
 * The name of that schema in the API document.
 *
 * @throws Error for a schema without an id
 */
export function dataSchemaNameOf(type: EventType): string {
  const name = dataSchemaOf(type).meta()?.id;
  if (name === undefined) throw new Error(`the schema of the event ${type} has no id`);
  return name;
}
