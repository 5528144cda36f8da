import type { Ratelimit } from "@upstash/ratelimit";
import { IP_COOLDOWN, isRunning, type Cooldown } from "../domain/ip-cooldown.ts";
import { networkOf } from "../lib/network-of.ts";
import { RecentMap } from "../lib/recent-map.ts";
import { ExcessRecord } from "./excess-record.ts";
import type { IpBudget, IpVerdict, PresentedKey } from "./ip-budget.ts";
import { IsolateWindow } from "./isolate-window.ts";
import type { RedisClient } from "./redis-client.ts";
import { RestAfterFailure } from "./rest-after-failure.ts";
import { openSlidingMinute } from "./sliding-minute.ts";

/** Requests a minute. */
const LIMITS = { shared: 1_200, health: 120 } as const;

type Budget = keyof typeof LIMITS;

/** Callers of this isolate whose cooldown is remembered, should Redis go away. */
const MAX_REMEMBERED = 10_000;
/** Keys never seen to be valid that an address in cooldown may have looked up in a minute, by each isolate: guesses cost the database little. */
const LOOK_UPS = 30;

/** What Redis or this isolate knows of a request's callers. */
interface Standing {
  readonly window: IpVerdict;
  readonly ofAddress: Cooldown | null;
  readonly ofKey: Cooldown | null;
  /** False without Redis: excess is not noted then. */
  readonly isShared: boolean;
}

/**
 * The budget of an IP address, counted in Redis: a sliding minute of two counters, and a cooldown for sustained excess, of this budget alone.
 * An admitted request costs one batch of two commands, which leaves together with whatever else is sent in the same tick.
 *
 * Refusals count against the address, or against the key of a request that presents a valid one. The cooldown of an address lets valid keys
 * through, also those whose window others have spent.
 *
 * Without Redis each isolate counts for itself and keeps up the cooldowns it knows of, but begins none.
 */
export class RedisIpBudget implements IpBudget {
  readonly #limiters: Record<Budget, Ratelimit>;
  readonly #excess: ExcessRecord;
  readonly #now: () => number;
  readonly #rest: RestAfterFailure;
  readonly #windows: Record<Budget, IsolateWindow> = { shared: new IsolateWindow(), health: new IsolateWindow() };
  readonly #cooldowns = new RecentMap<Cooldown>(MAX_REMEMBERED);
  readonly #lookUps = new IsolateWindow();

  /** @param now must be the system's clock: the limiter reads that itself */
  constructor(redis: RedisClient, now: () => number) {
    this.#limiters = {
      shared: openSlidingMinute(redis, "ip:shared", LIMITS.shared),
      health: openSlidingMinute(redis, "ip:health", LIMITS.health),
    };
    this.#excess = new ExcessRecord(redis);
    this.#now = now;
    this.#rest = new RestAfterFailure(now);
  }

  async spend(ip: string, budget: Budget, key: PresentedKey | null = null): Promise<IpVerdict> {
    const network = networkOf(ip);
    const address = `${budget}:${network}`;
    const keyHere = key === null ? null : `${address}:${key.id}`;
    const nowMs = this.#now();
    const { window, ofAddress, ofKey, isShared } = await this.#read(budget, network, address, keyHere, nowMs);
    if (isRunning(ofKey, nowMs)) return throttled(window, ofKey);
    if (isRunning(ofAddress, nowMs)) {
      const mayLookUp = () => this.#lookUps.spend(network, LOOK_UPS, nowMs).refusedBy === null;
      return (await key?.isValid(mayLookUp)) === true ? admitted(window) : throttled(window, ofAddress);
    }
    if (window.refusedBy === null || !isShared) return window;
    const begun =
      keyHere !== null && (await key?.isKnownValid()) === true
        ? await this.#noteRefusal(keyHere, nowMs, IP_COOLDOWN.refusedOfKeyInExcess)
        : await this.#noteRefusal(address, nowMs, IP_COOLDOWN.refusedInExcess);
    return begun === null ? window : throttled(window, begun);
  }

  async #read(budget: Budget, network: string, address: string, keyHere: string | null, nowMs: number): Promise<Standing> {
    try {
      return await this.#rest.run(() => this.#readShared(budget, network, address, keyHere));
    } catch {
      const ofAddress = this.#cooldowns.find(address);
      const ofKey = keyHere === null ? null : this.#cooldowns.find(keyHere);
      // What a cooldown refuses is not counted.
      const isCooling = isRunning(ofAddress, nowMs) || isRunning(ofKey, nowMs);
      const window = isCooling ? spent(LIMITS[budget], nowMs) : this.#windows[budget].spend(network, LIMITS[budget], nowMs);
      return { window, ofAddress, ofKey, isShared: false };
    }
  }

  async #readShared(budget: Budget, network: string, address: string, keyHere: string | null): Promise<Standing> {
    // Both are sent before anything is awaited, or they would be two HTTP requests.
    const [window, [ofAddress = null, ofKey = null]] = await Promise.all([
      this.#limiters[budget].limit(network),
      this.#excess.findCooldowns(keyHere === null ? [address] : [address, keyHere]),
    ]);
    if (ofAddress !== null) this.#cooldowns.set(address, ofAddress);
    if (ofKey !== null && keyHere !== null) this.#cooldowns.set(keyHere, ofKey);
    return {
      window: {
        refusedBy: window.success ? null : "limited",
        // A moment into the next window, what the full one carries over has shrunk by at least one, whatever was before it.
        retryAtMs: window.success ? null : window.reset + 1,
        limit: LIMITS[budget],
        remaining: window.remaining,
        resetAtMs: window.reset,
      },
      ofAddress,
      ofKey,
      isShared: true,
    };
  }

  /** A refusal stands, whether or not it could be noted. @returns the cooldown that it begins */
  async #noteRefusal(caller: string, nowMs: number, refusedInExcess: number): Promise<Cooldown | null> {
    const cooldown = await this.#excess.noteRefusal(caller, nowMs, refusedInExcess).catch(() => null);
    if (cooldown !== null) this.#cooldowns.set(caller, cooldown);
    return cooldown;
  }
}

const admitted = (window: IpVerdict): IpVerdict => ({ ...window, refusedBy: null, retryAtMs: null });

const spent = (limit: number, nowMs: number): IpVerdict => ({
  refusedBy: "limited",
  retryAtMs: nowMs,
  limit,
  remaining: 0,
  resetAtMs: nowMs,
});

function throttled({ limit }: IpVerdict, { untilMs }: Cooldown): IpVerdict {
  return { refusedBy: "throttled", retryAtMs: untilMs, limit, remaining: 0, resetAtMs: untilMs };
}
