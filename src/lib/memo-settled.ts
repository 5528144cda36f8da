import { LRUCache } from "lru-cache";

/**
 * The results of an asynchronous function by key. It is computed again after a failure, and by each caller that comes before
 * the first result: no caller waits for another one's promise. In workerd, code that awaits a promise of another request
 * goes on as a part of that request, so its timers and sockets end when the client of that request disconnects.
 *
 * @param max number of results to keep, the most recently used
 */
export function memoSettled<Key, Value extends object | string>(
  max: number,
  idOf: (key: Key) => string,
  compute: (key: Key) => Promise<Value>,
): (key: Key) => Promise<Value> {
  const results = new LRUCache<string, Value>({ max });
  return async (key) => {
    const id = idOf(key);
    const known = results.get(id);
    if (known !== undefined) return known;
    const result = await compute(key);
    results.set(id, result);
    return result;
  };
}

/** The result of one asynchronous computation, in the same way. */
export function onceSettled<Value extends object>(compute: () => Promise<Value>): () => Promise<Value> {
  const get = memoSettled<null, Value>(
    1,
    () => "",
    () => compute(),
  );
  return () => get(null);
}
