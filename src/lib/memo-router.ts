import type { Result, Router } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";
import { LRUCache } from "lru-cache";

const MAX_PATHS = 2_000;
/** A longer path is matched each time, so that paths take at most half a megabyte. */
const MAX_LENGTH = 200;

/** Hono's router of a tree, with the matches of recent paths. Routes are added before the first match. */
export class MemoRouter<T> implements Router<T> {
  readonly name = "MemoRouter";
  readonly #tree = new TrieRouter<T>();
  readonly #matches = new LRUCache<string, Result<T>>({ max: MAX_PATHS });

  add(method: string, path: string, handler: T): void {
    this.#tree.add(method, path, handler);
  }

  match(method: string, path: string): Result<T> {
    if (path.length > MAX_LENGTH) return this.#tree.match(method, path);
    const key = `${method} ${path}`;
    const known = this.#matches.get(key);
    if (known !== undefined) return known;
    const result = this.#tree.match(method, path);
    this.#matches.set(key, result);
    return result;
  }
}
