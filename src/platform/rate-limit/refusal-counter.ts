import { LRUCache } from "lru-cache";
import { z } from "zod";
import { decideCooldown, levelResetAtMs, IP_COOLDOWN, type Cooldown } from "./ip-cooldown.ts";
import type { RedisClient } from "../redis/redis-client.ts";
import { MINUTE_MS } from "../../scoring/utc-calendar.ts";

/** Refusals that an isolate collects before it writes to Redis, so that most refusals cost no round trip. */
const REPORT_EVERY = 20;
const COUNTER_TTL_SECONDS = (IP_COOLDOWN.withinMinutes + 1) * 60;
const MAX_CALLERS = 10_000;

const StoredTexts = z.array(z.string().nullable());
const StoredCooldown = z.object({ level: z.int().min(1).max(IP_COOLDOWN.ladderMs.length), until_ms: z.int().min(0) });
const Counters = z.array(z.coerce.number());

const cooldownKey = (caller: string): string => `ip:cooldown:${caller}`;

/**
 * Refusals of each caller per minute, and its last cooldown, in Redis for all isolates. A caller's name
 * begins with its budget, so that each budget has its own cooldowns.
 */
export class RefusalCounter {
  readonly #redis: RedisClient;
  readonly #refused = new LRUCache<string, { minute: number; count: number }>({ max: MAX_CALLERS });

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** The last cooldown of each caller, running or ended; null for none, or one that ended long ago. */
  async findCooldowns(callers: readonly string[]): Promise<(Cooldown | null)[]> {
    const keys = callers.map(cooldownKey);
    return StoredTexts.parse(await this.#redis.send((pipeline) => pipeline.mget(...keys))).map(parseCooldown);
  }

  /**
   * Counts one refused request.
   *
   * @param refusedInExcess refusals from which a minute counts as excess
   * @returns the cooldown now in force; null while the excess is not sustained
   */
  async countRefusal(caller: string, nowMs: number, refusedInExcess: number): Promise<Cooldown | null> {
    const minute = Math.floor(nowMs / MINUTE_MS);
    const current = this.#refused.get(caller);
    const count = current?.minute === minute ? current.count + 1 : 1;
    this.#refused.set(caller, { minute, count });
    if (count % REPORT_EVERY !== 0) return null;

    const [refusals, previous] = await this.#report(caller, minute);
    const cooldown = decideCooldown(refusals, previous, nowMs, refusedInExcess);
    if (cooldown !== null && cooldown !== previous) await this.#begin(caller, cooldown);
    return cooldown;
  }

  /** @returns the refusals of the last minutes, the current one last, and the caller's last cooldown */
  async #report(caller: string, minute: number): Promise<[number[], Cooldown | null]> {
    const keys = Array.from({ length: IP_COOLDOWN.withinMinutes }, (_, index) => {
      return `ip:refused:${caller}:${minute - IP_COOLDOWN.withinMinutes + 1 + index}`;
    });
    const current = keys.at(-1) ?? "";
    const [, , refusals, [previous = null]] = await Promise.all([
      this.#redis.send((pipeline) => pipeline.incrby(current, REPORT_EVERY)),
      this.#redis.send((pipeline) => pipeline.expire(current, COUNTER_TTL_SECONDS)),
      this.#redis.send((pipeline) => pipeline.mget(...keys)),
      this.findCooldowns([caller]),
    ]);
    return [Counters.parse(refusals), previous];
  }

  async #begin(caller: string, cooldown: Cooldown): Promise<void> {
    const text = JSON.stringify({ level: cooldown.level, until_ms: cooldown.untilMs });
    await this.#redis.send((pipeline) => pipeline.set(cooldownKey(caller), text, { pxat: levelResetAtMs(cooldown) }));
  }
}

/** @returns null for an unreadable text */
function parseCooldown(text: string | null): Cooldown | null {
  if (text === null) return null;
  try {
    const { level, until_ms } = StoredCooldown.parse(JSON.parse(text));
    return { level, untilMs: until_ms };
  } catch {
    return null;
  }
}
