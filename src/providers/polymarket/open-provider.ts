import type { Config } from "../../config.ts";
import type { Provider } from "../../ports/provider.ts";
import { createPolymarketProvider } from "./create-provider.ts";

const opened = new Map<string, Provider>();

/** The provider over the real network. One an isolate and set of addresses, so that its budgets hold across jobs. */
export function openProvider(urls: Config["provider"]): Provider {
  const key = JSON.stringify(urls);
  let provider = opened.get(key);
  if (provider === undefined) {
    provider = createPolymarketProvider({
      urls,
      fetch: (url, init) => fetch(url, init),
      now: Date.now,
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      random: Math.random,
    });
    opened.set(key, provider);
  }
  return provider;
}
