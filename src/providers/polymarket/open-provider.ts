import type { Config } from "../../config.ts";
import { systemClock } from "../../lib/timing/clock.ts";
import type { Provider } from "../../platform/provider.ts";
import { createPolymarketProvider } from "./client.ts";
import { throughRelay } from "./http/through-relay.ts";
import { ProviderRequestBudget } from "./http/provider-request-budget.ts";

/**
 * One budget for all clients of the isolate: they share an IP address, and the provider counts by IP address.
 */
const budget = new ProviderRequestBudget();

/** The provider client for the Worker. Cheap to create: a client holds no connection. */
export function openProvider(config: Config["provider"]): Provider {
  return createPolymarketProvider({
    config,
    budget,
    fetch: throughRelay(config.relay, (url, init) => fetch(url, init)),
    clock: systemClock,
    random: Math.random,
  });
}
