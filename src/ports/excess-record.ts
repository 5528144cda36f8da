import { z } from "zod";
import { decideCooldown, forgottenAtMs, IP_COOLDOWN, type Cooldown } from "../domain/ip-cooldown.ts";
import { RecentMap } from "../lib/recent-map.ts";
import type { RedisClient } from "./redis-client.ts";

const MINUTE_MS = 60_000;
/** Refusals an isolate gathers before it tells Redis: most refused requests cost no round trip of their own. */
const REPORT_EVERY = 20;
const COUNTER_TTL_SECONDS = (IP_COOLDOWN.withinMinutes + 1) * 60;
const MAX_CALLERS = 10_000;

const StoredTexts = z.array(z.string().nullable());
const StoredCooldown = z.object({ level: z.int().min(1).max(IP_COOLDOWN.ladderMs.length), until_ms: z.int().min(0) });
const Counters = z.array(z.coerce.number());

const cooldownKey = (caller: string): string => `ip:cooldown:${caller}`;

/**
 * How often each caller was refused, minute by minute, and its last cooldown, kept in Redis for all isolates. A caller's name begins with its
 * budget, so that each budget has cooldowns of its own.
 */
export class ExcessRecord {
  readonly #redis: RedisClient;
  readonly #refused = new RecentMap<{ minute: number; count: number }>(MAX_CALLERS);

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  /** The last cooldown of each caller, running or over; null for one that had none, or long ago. */
  async findCooldowns(callers: readonly string[]): Promise<(Cooldown | null)[]> {
    const keys = callers.map(cooldownKey);
    return StoredTexts.parse(await this.#redis.send((pipeline) => pipeline.mget(...keys))).map(parseCooldown);
  }

  /**
   * Counts one refused request.
   *
   * @param refusedInExcess refusals that make a minute one of excess
   * @returns the cooldown that now holds; null while the excess is not sustained
   */
  async noteRefusal(caller: string, nowMs: number, refusedInExcess: number): Promise<Cooldown | null> {
    const minute = Math.floor(nowMs / MINUTE_MS);
    const counted = this.#refused.find(caller);
    const count = counted?.minute === minute ? counted.count + 1 : 1;
    this.#refused.set(caller, { minute, count });
    if (count % REPORT_EVERY !== 0) return null;

    const [refusals, previous] = await this.#report(caller, minute);
    const cooldown = decideCooldown(refusals, previous, nowMs, refusedInExcess);
    if (cooldown !== null && cooldown !== previous) await this.#begin(caller, cooldown);
    return cooldown;
  }

  /** @returns the refusals of the last minutes, this one last and included, and the caller's last cooldown */
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
    await this.#redis.send((pipeline) => pipeline.set(cooldownKey(caller), text, { pxat: forgottenAtMs(cooldown) }));
  }
}

/** @returns null for a text that is none of ours */
function parseCooldown(text: string | null): Cooldown | null {
  if (text === null) return null;
  try {
    const { level, until_ms } = StoredCooldown.parse(JSON.parse(text));
    return { level, untilMs: until_ms };
  } catch {
    return null;
  }
}
