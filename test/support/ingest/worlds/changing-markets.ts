import type { Random } from "../../../../scripts/provider/simulate/random.ts";
import type { ProviderMarket } from "../../../../src/platform/provider.ts";
import { aGameEvent } from "../provider/provider-games.ts";
import { aProviderMarket } from "../provider/provider-markets.ts";

const CATEGORIES = ["Sports", "Politics", "Crypto", null];
/** The token of a third outcome, which a market gets later. */
export const drawTokenOf = (market: number): string => String(5_000_000 + market);

/** Markets of one event. */
const EVENT_MARKETS = 4;
const DAY = 86_400_000;

/** The objects of some markets, which a provider changes: their figures often, everything else now and then. */
export class ChangingMarkets {
  readonly #random: Random;
  readonly #startMs: number;
  readonly #markets = new Map<number, ProviderMarket>();
  readonly #events = new Map<number, NonNullable<ProviderMarket["event"]>>();

  constructor(random: Random, count: number, startMs: number) {
    this.#random = random;
    this.#startMs = startMs;
    for (let market = 1; market <= count; market++)
      this.#markets.set(
        market,
        aProviderMarket(market, {
          ...{ category: "Sports", tags: ["Sports"], volumeUsd: "10", description: `About ${market}` },
          endAt: new Date(startMs + random.integer(-2, 5) * DAY),
        }),
      );
  }

  /** Some of the objects, after some changes. An event is the same in all of its markets. */
  read(count: number): ProviderMarket[] {
    const numbers = new Set(Array.from({ length: count }, () => this.#random.integer(1, this.#markets.size)));
    for (const market of numbers) this.#change(market);
    return [...numbers].flatMap((market) => {
      const object = this.#markets.get(market);
      return object === undefined ? [] : [{ ...object, event: this.#eventOf(market, object) }];
    });
  }

  #eventOf(market: number, { category }: ProviderMarket): ProviderMarket["event"] {
    const group = Math.floor(market / EVENT_MARKETS);
    if (category === null) return null;
    const event = this.#events.get(group) ?? aGameEvent(group, { slug: `event-${group}` }).event;
    this.#events.set(group, this.#random.chance(0.02) ? this.#changeEvent(event) : event);
    return event;
  }

  #changeEvent(event: NonNullable<ProviderMarket["event"]>): NonNullable<ProviderMarket["event"]> {
    const random = this.#random;
    return {
      ...event,
      title: `Event ${random.integer(1, 9)}`,
      image: `image-${random.integer(1, 9)}`,
      seriesSlug: random.pick(["nba", "nfl", null]),
      endAt: random.pick([null, new Date(this.#startMs + DAY)]),
    };
  }

  #change(market: number): void {
    const random = this.#random;
    const before = this.#markets.get(market);
    if (before === undefined) return;
    const figures: ProviderMarket = {
      ...before,
      volumeUsd: random.pick([before.volumeUsd, String(random.integer(1, 1_000))]),
      volume24hUsd: random.pick([before.volume24hUsd, null, "5.5"]),
      liquidityUsd: random.pick([before.liquidityUsd, "7"]),
      image: random.chance(0.1) ? `image-${random.integer(1, 9)}` : before.image,
      description: random.chance(0.1) ? `About ${random.integer(1, 9)} `.repeat(400) : before.description,
      outcomes: before.outcomes.map((outcome) => {
        const cents = random.integer(2, 90);
        return {
          ...outcome,
          price: random.pick([outcome.price, String(cents / 100)]),
          lastTradePrice: random.pick([outcome.lastTradePrice, String(cents / 100), null]),
          bestBid: random.pick([outcome.bestBid, String((cents - 1) / 100), null]),
          bestAsk: random.pick([outcome.bestAsk, String((cents + 1) / 100), null]),
        };
      }),
    };
    this.#markets.set(market, random.chance(0.15) ? this.#changeFacts(market, figures) : figures);
  }

  #changeFacts(market: number, before: ProviderMarket): ProviderMarket {
    const random = this.#random;
    const at = new Date(this.#startMs + random.integer(-3, 3) * DAY);
    const [first, second] = before.outcomes;
    return {
      ...before,
      ...random.pick<Partial<ProviderMarket>>([
        { title: `Market ${market} ${random.integer(1, 9)}` },
        { category: random.pick(CATEGORIES) },
        { tags: random.pick([["Sports"], ["Sports", "NBA"], []]) },
        { endAt: random.pick([at, null]) },
        { gameStartAt: at },
        { closed: true, closedAt: new Date(this.#startMs) },
        { closed: false, closedAt: null },
        { resolutionStatus: random.pick(["proposed", "resolved", null]) },
        { negRisk: random.chance(0.5) },
        first !== undefined && second !== undefined
          ? {
              outcomes: [
                { ...first, outcomeIndex: second.outcomeIndex },
                { ...second, outcomeIndex: first.outcomeIndex, label: `No ${random.integer(1, 9)}` },
                ...before.outcomes.slice(2),
              ],
            }
          : {},
        before.outcomes.length === 2 && first !== undefined
          ? {
              outcomes: [
                ...before.outcomes,
                { ...first, tokenId: drawTokenOf(market), outcomeIndex: 2, label: "Draw" },
              ],
            }
          : {},
      ]),
    };
  }
}
