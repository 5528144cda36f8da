import { compatibilityDate } from "../compatibility-date.ts";

/** A Cache API that stores nothing, as it answers workerd: a Worker's `cacheApiOutbound`. */
const SCRIPT = `export default {
  fetch: ({ method }) => method === 'PUT' ? new Response(null, { status: 204 })
    : new Response(null, { status: 504, headers: { 'cf-cache-status': 'MISS' } })
}`;

/** The service `cache` in workerd's configuration language. */
export const emptyCacheService = (): string =>
  `(name = "cache", worker = (modules = [(name = "cache.js", esModule = ${JSON.stringify(SCRIPT)})], compatibilityDate = "${compatibilityDate()}"))`;
