import { GrowingCatalog } from "../catalog.ts";
import { SortedActivityLog } from "../activity-log.ts";
import type { ComboEventRecord } from "../combos.ts";
import type { Market, ActivityRecord, PricePoint, Tag } from "../provider-world.ts";
import { createCrowd } from "./trade/crowd.ts";
import { planEvent } from "./plan/plan-events.ts";
import { historyStartMs, isDay, isScheduled, listEventNumbers, listGameNumbers, slotStartMs } from "./plan/schedule.ts";
import { simulateDay } from "./simulate-day.ts";
import { simulateEvent, type SimulatedMarket } from "./simulated-event.ts";
import { createSimulatedIds } from "./simulated-ids.ts";
import type { SimulatedWallet } from "./wallets.ts";

/** Events are generated this long before they open, because the live socket runs ahead of the clock. */
const AHEAD_MS = 10_000;
const PRICE_STEP_SECONDS = 300;
const PRICE_POINTS_LEAST = 40;

/**
 * The events of a simulated world. Each is generated completely when its slot begins or when a request names
 * it.
 */
export class SimulatedEvents {
  readonly movements = new SortedActivityLog();
  readonly catalog = new GrowingCatalog();
  readonly tags = new Map<string, Tag>();
  readonly #markets = new Map<Market, SimulatedMarket>();
  readonly #loaded = new Set<number>();
  readonly #comboEvents = new Map<string, readonly ComboEventRecord[]>();
  readonly #seed: number;
  readonly #now: () => number;
  readonly #startedMs: number;
  readonly #ids;
  readonly #crowd;
  #listedUntilMs: number;

  constructor(seed: number, wallets: readonly SimulatedWallet[], now: () => number) {
    this.#seed = seed;
    this.#now = now;
    this.#startedMs = now();
    this.#ids = createSimulatedIds(seed);
    this.#crowd = createCrowd(wallets);
    this.#listedUntilMs = historyStartMs(this.#startedMs);
    this.refresh();
  }

  /** Lists the events that have opened since the last call. */
  refresh(): void {
    const until = this.#now() + AHEAD_MS;
    this.#load(listEventNumbers(this.#listedUntilMs, until, this.#startedMs));
    this.#listedUntilMs = Math.max(this.#listedUntilMs, until);
  }

  loadCondition(conditionId: string): void {
    this.#loadNamed(this.#ids.eventOfCondition(conditionId));
  }

  loadToken(tokenId: string): void {
    this.#loadNamed(this.#ids.eventOfToken(tokenId));
  }

  /**
   * The mark price of an outcome at a moment: the payout once resolved; before that the price, frozen at the
   * close.
   */
  priceAt(market: Market, outcomeIndex: number, ms: number): number {
    const { resolution, closedAtMs } = market;
    if (resolution !== null && resolution.atMs <= ms) return (resolution.payoutsPpm[outcomeIndex] ?? 0) / 1e6;
    const first = this.#markets.get(market)?.probabilityAt(Math.min(ms, closedAtMs ?? ms)) ?? 0.5;
    return outcomeIndex === 0 ? first : 1 - first;
  }

  /** Prices of an outcome from opening to close, and its settlement. */
  listPrices(tokenId: string): readonly PricePoint[] {
    const token = this.catalog.findToken(tokenId);
    if (token === null) return [];
    const { market, outcomeIndex } = token;
    const now = this.#now();
    const from = Math.ceil((market.startAtMs ?? 0) / 1000);
    const until = Math.floor(Math.min(now, market.closedAtMs ?? now) / 1000);
    const step = Math.max(10, Math.min(PRICE_STEP_SECONDS, Math.floor((until - from) / PRICE_POINTS_LEAST)));
    const points = Array.from({ length: Math.max(0, Math.floor((until - from) / step)) }, (_, index) => {
      const timestamp = from + index * step;
      return {
        timestamp,
        price: Math.round(this.priceAt(market, outcomeIndex, timestamp * 1000) * 1e4) / 1e4,
        resolutionSeconds: 60,
      };
    });
    const { resolution } = market;
    if (resolution === null || resolution.atMs > now) return points;
    return [
      ...points,
      { timestamp: resolution.atMs / 1000, price: this.priceAt(market, outcomeIndex, now), resolutionSeconds: 0 },
    ];
  }

  /** The lifecycle events of a wallet's combos, in block order. */
  listComboEvents(address: string): readonly ComboEventRecord[] {
    return this.#comboEvents.get(address) ?? [];
  }

  /** Loads an unlisted event if the schedule has its number and its slot has begun. */
  #loadNamed(number: number | null): void {
    if (number !== null && isScheduled(number) && slotStartMs(number) <= this.#now()) this.#load([number]);
  }

  #load(numbers: readonly number[]): void {
    const batch: ActivityRecord[] = [];
    for (const number of numbers) {
      if (this.#loaded.has(number)) continue;
      this.#loaded.add(number);
      batch.push(...(isDay(number) ? this.#addDay(number, batch) : this.#addEvent(number)));
    }
    if (batch.length > 0) this.movements.add(batch);
  }

  /** @param batch gets the activity of events that the day's combos name before their turn */
  #addDay(number: number, batch: ActivityRecord[]): readonly ActivityRecord[] {
    const listOpenGames = (ms: number) =>
      listGameNumbers(ms).flatMap((game): Market[] => {
        if (!this.#loaded.has(game)) {
          this.#loaded.add(game);
          batch.push(...this.#addEvent(game));
        }
        const market = this.catalog.findEvent(String(game))?.markets[0];
        return market !== undefined && (market.startAtMs ?? 0) <= ms && (market.closedAtMs ?? 0) > ms ? [market] : [];
      });
    const context = { ids: this.#ids, crowd: this.#crowd, listOpenGames };
    const { movements, comboEvents } = simulateDay(this.#seed, number, context);
    for (const event of comboEvents) {
      const own = this.#comboEvents.get(event.wallet.address) ?? [];
      this.#comboEvents.set(event.wallet.address, [...own, event].sort(inBlockOrder));
    }
    return movements;
  }

  #addEvent(number: number): readonly ActivityRecord[] {
    const { event, markets, movements } = simulateEvent(
      this.#seed,
      planEvent(this.#seed, number),
      this.#ids,
      this.#crowd,
    );
    this.catalog.addEvent(event);
    for (const market of markets) this.#markets.set(market.market, market);
    for (const tag of event.tags) this.tags.set(tag.id, tag);
    return movements;
  }
}

const inBlockOrder = (a: ComboEventRecord, b: ComboEventRecord) =>
  a.blockNumber - b.blockNumber || a.logIndex - b.logIndex;
