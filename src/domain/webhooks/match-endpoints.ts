import { EVENT_CATALOGUE, spellingFor, type EventType } from "../event-catalogue.ts";
import { isEntitled, type Entitlement } from "./delivery-state.ts";
import { passesFilters, type TradeFilters } from "./trade-filters.ts";

/** An endpoint that is active and not deleted. */
export interface Subscriber extends Entitlement {
  readonly endpointId: string;
  readonly accountId: number;
  /** In the spellings it registered. */
  readonly eventTypes: readonly string[];
  readonly filters: TradeFilters;
  /** ISO: what was recorded before is not told. */
  readonly verifiedAt: string;
}

export interface PublishedEvent {
  readonly type: EventType;
  readonly data: Readonly<Record<string, unknown>>;
  /** ISO. */
  readonly createdAt: string;
  /** Whose it is; null when it is everybody's. */
  readonly accountId: number | null;
}

/** The endpoint's spelling of an event it is to be told of; null when it is not told. */
export function decideSpelling(subscriber: Subscriber, event: PublishedEvent): string | null {
  const isSomebodys = EVENT_CATALOGUE[event.type].isOwnersOnly || event.accountId !== null;
  if (isSomebodys && event.accountId !== subscriber.accountId) return null;
  if (Date.parse(event.createdAt) < Date.parse(subscriber.verifiedAt) || !isEntitled(subscriber, event.type)) return null;
  const spelling = spellingFor(event.type, subscriber.eventTypes);
  if (spelling === null) return null;
  return event.type !== "large_trade_inserted_v2" || passesFilters(subscriber.filters, event.data) ? spelling : null;
}
