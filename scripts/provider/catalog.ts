import type { Catalog, Market, MarketEvent } from "./provider-world.ts";

/** Markets and events with the lookups of the surface. A later event with a known id is ignored. */
export class GrowingCatalog implements Catalog {
  readonly markets: Market[] = [];
  readonly events: MarketEvent[] = [];
  readonly #byCondition = new Map<string, Market>();
  readonly #byId = new Map<string, Market>();
  readonly #bySlug = new Map<string, Market>();
  readonly #byToken = new Map<string, { market: Market; outcomeIndex: number }>();
  readonly #events = new Map<string, MarketEvent>();
  readonly #eventsBySlug = new Map<string, MarketEvent>();

  addEvent(event: MarketEvent): void {
    if (this.#events.has(event.id)) return;
    this.events.push(event);
    this.#events.set(event.id, event);
    this.#eventsBySlug.set(event.slug, event);
    for (const market of event.markets) this.#addMarket(market);
  }

  #addMarket(market: Market): void {
    this.markets.push(market);
    this.#byCondition.set(market.conditionId, market);
    this.#byId.set(market.id, market);
    this.#bySlug.set(market.slug, market);
    market.tokenIds.forEach((tokenId, outcomeIndex) => this.#byToken.set(tokenId, { market, outcomeIndex }));
  }

  findMarket(conditionId: string): Market | null {
    return this.#byCondition.get(conditionId) ?? null;
  }
  findMarketById(id: string): Market | null {
    return this.#byId.get(id) ?? null;
  }
  findMarketBySlug(slug: string): Market | null {
    return this.#bySlug.get(slug) ?? null;
  }
  findToken(tokenId: string): { market: Market; outcomeIndex: number } | null {
    return this.#byToken.get(tokenId) ?? null;
  }
  findEvent(id: string): MarketEvent | null {
    return this.#events.get(id) ?? null;
  }
  findEventBySlug(slug: string): MarketEvent | null {
    return this.#eventsBySlug.get(slug) ?? null;
  }
}
