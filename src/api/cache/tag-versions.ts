import { CACHE_TAGS, cacheVersionKey, type CacheTag } from "../../domain/cache-tags.ts";
import type { Cache } from "../../platform/redis/cache.ts";

/** Age of the versions from which a request has them read again in the background. */
const RENEW_MS = 1_000;
/**
 * Age from which a request waits for the versions. A response may be this old after its data was replaced: no older than
 * one without cache tags.
 */
export const MAX_AGE_MS = 5_000;
/** Longer than a read takes. A read whose request was cancelled ends with it. */
const READING_MS = 2_000;

interface ReadVersions {
  readonly versions: ReadonlyMap<CacheTag, string | null>;
  /** When the read began, Unix milliseconds. */
  readonly readAtMs: number;
}

/**
 * The isolate's view of the current versions of all cache tags. Requests do not wait for Redis while the view is at most
 * MAX_AGE_MS old: one request at a time renews it in the background.
 */
export class TagVersions {
  #view: ReadVersions | null = null;
  #readingUntilMs = 0;
  readonly #cache: Pick<Cache, "getMany">;

  constructor(cache: Pick<Cache, "getMany">) {
    this.#cache = cache;
  }

  /**
   * The versions of these tags, as one text. They may be older than the data that a handler reads afterwards, never newer.
   *
   * @returns null while Redis is unavailable and the view is too old
   */
  async read(
    tags: readonly CacheTag[],
    nowMs: number,
    waitUntil: (work: Promise<unknown>) => void,
  ): Promise<string | null> {
    if (tags.length === 0) return "[]";
    const ageMs = nowMs - (this.#view?.readAtMs ?? -Infinity);
    if (ageMs >= MAX_AGE_MS) await this.#renew(nowMs);
    else if (ageMs >= RENEW_MS && nowMs >= this.#readingUntilMs) {
      this.#readingUntilMs = nowMs + READING_MS;
      waitUntil(this.#renew(nowMs));
    }
    const view = this.#view;
    if (view === null || nowMs >= view.readAtMs + MAX_AGE_MS) return null;
    return JSON.stringify(tags.map((tag) => view.versions.get(tag) ?? null));
  }

  /** Never throws: an unavailable Redis leaves the view as it is. */
  async #renew(nowMs: number): Promise<void> {
    const values = await this.#cache.getMany(CACHE_TAGS.map(cacheVersionKey)).catch(() => null);
    this.#readingUntilMs = 0;
    // A slow read does not replace a later one.
    if (values === null || nowMs < (this.#view?.readAtMs ?? 0)) return;
    this.#view = { versions: new Map(CACHE_TAGS.map((tag, n) => [tag, values[n] ?? null])), readAtMs: nowMs };
  }
}
