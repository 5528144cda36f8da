import type { Config } from "../../config.ts";
import type { Provider } from "../../ports/provider.ts";
import { createPolymarketProvider } from "./client.ts";
import { RequestBudget } from "./http/request-budget.ts";
import { sleep } from "./http/sleep.ts";

/** One for all clients of the isolate: they leave by the same address, and the provider counts by address. */
const budget = new RequestBudget();

/** The provider as the Worker uses it. Cheap: a client holds no connection. */
export function openProvider(config: Config["provider"]): Provider {
  return createPolymarketProvider({
    config,
    budget,
    fetch: (url, init) => fetch(url, init),
    now: Date.now,
    sleep,
    random: Math.random,
  });
}
