import { expect, test } from "vitest";
import { decideRetryDelay } from "../../../queues/consume-ingest.ts";
import { ProviderRefused, ProviderUnavailable } from "../../../src/platform/provider.ts";

test.each([
  ["two seconds after the first failure", new Error("away"), 1, 2],
  ["twice as long with each attempt", new ProviderUnavailable("away", null), 4, 16],
  ["at most five minutes", new ProviderRefused("no"), 12, 300],
  ["the provider's Retry-After in whole seconds", new ProviderUnavailable("busy", 1_200), 9, 2],
  ["at least a second", new ProviderUnavailable("busy", 0), 1, 1],
  ["at most the longest delay of a queue", new ProviderUnavailable("closed", 864_000_000), 1, 43_200],
])("a failed message waits %s", (_, error, attempts, seconds) => {
  expect(decideRetryDelay(error, attempts)).toBe(seconds);
});
