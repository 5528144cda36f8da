import { EVENT_CATALOGUE, spellingFor, type EventType } from "../../events/registry.ts";
import type { WatchlistMatches } from "../../domain/watchlists/watchlist-matches.ts";
import { isEntitled, type Entitlement } from "./delivery-state.ts";
import { passesFilters, type TradeFilters } from "./trade-filters.ts";

/** An active endpoint that is not deleted. */
export interface Subscriber extends Entitlement {
  readonly endpointId: string;
  readonly accountId: number;
  /** In the spellings that it registered. */
  readonly eventTypes: readonly string[];
  readonly filters: TradeFilters;
  /** ISO. Events recorded before are not delivered. */
  readonly verifiedAt: string;
}

export interface PublishedEvent {
  readonly type: EventType;
  readonly data: Readonly<Record<string, unknown>>;
  /** ISO. */
  readonly createdAt: string;
  /** The account that owns the event; null for a public event. */
  readonly accountId: number | null;
}

/**
 * Decides under which spelling an endpoint receives an event; null when it does not receive it.
 *
 * @param matches of the event's wallet with the endpoint's watchlist
 */
export function decideSpelling(
  subscriber: Subscriber,
  event: PublishedEvent,
  matches: WatchlistMatches,
): string | null {
  const isPrivate = EVENT_CATALOGUE[event.type].access === "owner" || event.accountId !== null;
  if (isPrivate && event.accountId !== subscriber.accountId) return null;
  if (Date.parse(event.createdAt) < Date.parse(subscriber.verifiedAt) || !isEntitled(subscriber, event.type))
    return null;
  const spelling = spellingFor(event.type, subscriber.eventTypes);
  if (spelling === null) return null;
  const passes =
    event.type !== "large_trade_inserted_v2" ||
    passesFilters(subscriber.filters, event.data, subscriber.accountId, matches);
  return passes ? spelling : null;
}
