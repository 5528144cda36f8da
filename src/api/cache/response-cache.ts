import { LRUCache } from "lru-cache";
import type { SerializedResponse } from "./serialized-response.ts";
import { InFlight } from "./in-flight.ts";

/** How long a stale response is served while one request computes its replacement. */
const STALE_MS = 2_000;

/**
 * A response with the versions of its cache tags from before it was computed; null when they were unknown.
 */
export interface CacheEntry {
  readonly response: SerializedResponse;
  readonly tagVersions: string | null;
}

export interface CachePolicy {
  /** Time to live in seconds, from the start of the computation. */
  readonly ttlSeconds: number;
  /** Whether a stale response is served for STALE_MS while one request computes its replacement. */
  readonly staleWhileRevalidate: boolean;
}

interface StoredEntry extends CacheEntry {
  readonly freshUntilMs: number;
  /** From then on the entry is not served at all. Unix milliseconds. */
  readonly staleUntilMs: number;
  /** Whether a request already computes the replacement. */
  isRevalidating: boolean;
}

/**
 * In-memory response cache of the isolate: a hit reads no body from Redis. With `staleWhileRevalidate`, one
 * request recomputes an expired response while the others get the stale one. Evicts the least recently used
 * entries.
 */
export class ResponseCache {
  readonly inFlight = new InFlight();
  /** Null when the cache is disabled. */
  readonly #entries: LRUCache<string, StoredEntry> | null;

  /**
   * @param maxCharacters total length of all bodies; a character takes one or two bytes. 0 disables the cache
   */
  constructor(maxCharacters: number) {
    const sizeCalculation = ({ response }: StoredEntry) => Math.max(1, response.head.length);
    this.#entries = maxCharacters === 0 ? null : new LRUCache({ maxSize: maxCharacters, sizeCalculation });
  }

  /** @returns null on a miss, and for the one caller that has to revalidate a stale entry */
  find(key: string, now: number): CacheEntry | null {
    const entry = this.#entries?.peek(key);
    if (entry === undefined || now >= entry.staleUntilMs) return null;
    if (now >= entry.freshUntilMs && !entry.isRevalidating) {
      entry.isRevalidating = true;
      return null;
    }
    return this.#entries?.get(key) ?? null;
  }

  /** A fresh entry, or null. Has no effect on revalidation or eviction order. */
  findFresh(key: string, now: number): CacheEntry | null {
    const entry = this.#entries?.peek(key);
    return entry === undefined || now >= entry.freshUntilMs ? null : entry;
  }

  set(key: string, { response, tagVersions }: CacheEntry, { ttlSeconds, staleWhileRevalidate }: CachePolicy): void {
    const freshUntilMs = response.storedAtMs + ttlSeconds * 1000;
    this.#entries?.set(key, {
      response,
      tagVersions,
      freshUntilMs,
      staleUntilMs: freshUntilMs + (staleWhileRevalidate ? STALE_MS : 0),
      isRevalidating: false,
    });
  }
}
